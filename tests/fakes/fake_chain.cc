#include "fakes/fake_chain.h"

#include <fmt/format.h>

#include <cmath>

#include "run/journal.h"
#include "target/tunables.h"

namespace forge {
namespace {

constexpr double kRungGain = 1.08;

std::string ladder_kernel(int rungs) {
  std::string values;
  for (int rung = 0; rung <= rungs; ++rung) values += fmt::format(", {}", rung);
  return fmt::format("#include \"forge_args.h\"\nFORGE_TUNABLE(int, kRung, 0{});\n", values);
}

int rung_of(const Settings& settings) { return std::stoi(settings.at("kRung")); }

}  // namespace

FakeChain::FakeChain(int rungs) {
  // Generation 0's reference is the start kernel itself.
  world.fs.add_file("tasks/norm/start/kernel.cpp", ladder_kernel(rungs));
  world.fs.add_file("tasks/norm/reference/norm.cpp", ladder_kernel(rungs));
  world.fs.add_file("tasks/norm/task.toml",
                    fake_task("reference/norm.py\"", "reference/norm.cpp\""));
  world.delivery.time = [](const Settings& settings) {
    return 1000 / std::pow(kRungGain, rung_of(settings));
  };
  world.delivery.judge = [this](const Settings& settings) {
    if (rung_of(settings) <= reference_rung() + 1) return CandidateOutcome(Passed{});
    return CandidateOutcome(Wrong{{{"large", "typical", "y", {3}, 1, 2, 1, 0.1, 5, 64}}});
  };
}

// Of the problem that is being worked on: the latest that was written.
int FakeChain::reference_rung() {
  int generation = 0;
  const auto reference = [](int number) {
    return Path(generation_name("tasks/norm", number)) / "reference/kernel.cpp";
  };
  while (world.fs.exists(reference(generation + 1))) ++generation;
  if (generation == 0) return 0;
  const auto tunables = scan_tunables(*world.fs.read(reference(generation)), "kernel.cpp");
  FORGE_CHECK(tunables && tunables->size() == 1);
  return std::stoi(tunables->front().default_value);
}

Result<EvolveEnd> FakeChain::evolve() {
  DriverContext driver = world.driver_context();
  EvolveContext context{driver, world.entropy,
                        NewRun{"", "", "forge test", "builtin", "builtin", "none", "", ""}};
  return run_evolve(request, context);
}

ChainState FakeChain::evolve_to_end() {
  const auto end = evolve();
  if (!end) invariant_failed(__FILE__, __LINE__, end.error().message());
  FORGE_CHECK(std::holds_alternative<ChainFinished>(*end));
  return state();
}

ChainState FakeChain::state() {
  auto chain = read_chain(world.fs, paths());
  if (!chain) invariant_failed(__FILE__, __LINE__, chain.error().message());
  return std::move(*chain);
}

std::string essence(const ChainState& state) {
  std::string text;
  for (const Generation& each : state.generations) {
    text += fmt::format("{} {}", each.opened.generation, each.opened.problem);
    if (each.ended) {
      text += fmt::format(" {} {:.4f} {}", ending_text(each.ended->ending),
                          each.ended->confirmed ? each.ended->confirmed->ratio.point : 0,
                          each.ended->candidates);
    }
    text += "\n";
  }
  for (const ProblemWritten& each : state.written) text += each.problem + "\n";
  if (state.cumulative) {
    text += state.cumulative->failure + "\n";
    for (const CumulativeRatio& each : state.cumulative->ratios) {
      text += fmt::format("{} {:.4f}\n", each.generation, each.measured.ratio.point);
    }
  }
  if (state.finished) text += fmt::format("{}\n", chain_end_text(state.finished->why));
  return text;
}

}  // namespace forge
