#include "fakes/fake_run.h"

#include <cmath>

namespace forge {
namespace {

constexpr std::string_view kTask = R"toml(name = "norm"
target = "cpu"
[signature]
dims = ["rows"]
inputs = [{ name = "x", dtype = "f32", shape = ["rows"] }]
outputs = [{ name = "y", dtype = "f32", shape = ["rows"] }]
[reference]
run = "reference/norm.py"
[judge]
oracle = "check/oracle.py"
author = "the test"
[start]
path = "start/"
[goal]
ratio = 3.0
[budget]
hours = 1.0
max_meta = 6
patience = 5
)toml";

constexpr std::string_view kShapes = R"json({
  "groups": [
    {"name": "typical", "purpose": "values as they occur"},
    {"name": "extreme", "purpose": "the largest and smallest legal values"},
    {"name": "zeros", "purpose": "nothing but zeros"}
  ],
  "shapes": [{"name": "large", "dims": {"rows": 64}}]
})json";

constexpr std::string_view kKernel = R"cpp(#include "forge_args.h"
                                           FORGE_STRUCTURE(bool, kTwoPass, false, false, true);
                                           FORGE_TUNABLE(int, kVec, 1, 1, 2, 4, 8);
                                           FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 8);
)cpp";

double distance(const Settings& settings, const std::string& name, double optimum) {
  return std::abs(std::log2(std::stod(settings.at(name))) - std::log2(optimum));
}

double kernel_ns(const Settings& settings) {
  const double structure = settings.at("kTwoPass") == "true" ? 250 : 500;
  return structure *
         (1 + 0.5 * distance(settings, "kVec", 4) + 0.2 * distance(settings, "kUnroll", 2));
}

CandidateOutcome kernel_outcome(const Settings& settings) {
  if (settings.at("kUnroll") == "8")
    return Wrong{{{"large", "typical", "y", {3}, 1, 2, 1, 0.1, 5, 64}}};
  return Passed{};
}

}  // namespace

std::string fake_task(std::string_view from, std::string_view to) {
  std::string task(kTask);
  if (from.empty()) return task;
  const auto at = task.find(from);
  FORGE_CHECK(at != std::string::npos);
  return task.replace(at, from.size(), to);
}

FakeRun::FakeRun() {
  git.install(processes);
  delivery.time = kernel_ns;
  delivery.judge = kernel_outcome;
  fs.add_file("tasks/norm/task.toml", kTask);
  fs.add_file("tasks/norm/shapes.json", kShapes);
  fs.add_file("tasks/norm/description.md", "Normalises rows.\n");
  fs.add_file("tasks/norm/reference/norm.py", "reference\n");
  fs.add_file("tasks/norm/check/oracle.py", "oracle\n");
  fs.add_file("tasks/norm/start/kernel.cpp", kKernel);
}

Result<Path> FakeRun::create() {
  const NewRun request{"tasks/norm", ".artifacts", "forge test", "builtin",
                       "builtin",    "none",       "",           ""};
  FORGE_TRY(run, create_run(request, fs, clock, entropy));
  return run;
}

DriverContext FakeRun::driver_context() {
  return {fs,
          processes,
          clock,
          delivery,
          [this](Role role) -> Backend& {
            const bool teaches = role == Role::kTeacher && teacher != nullptr;
            return teaches ? *teacher : *backend;
          },
          progress,
          "/cache",
          "the test",
          [this] { return interrupt; },
          [this](std::chrono::milliseconds time) { pauses.push_back(time); },
          redactor,
          [this](const RunPaths&) {
            ++reports;
            return Status();
          }};
}

AgentWorld FakeRun::agent_world() {
  return {fs,
          processes,
          clock,
          [this](const std::string& name) -> std::optional<std::string> {
            const auto found = environment.find(name);
            return found == environment.end() ? std::nullopt : std::optional(found->second);
          },
          [this] { return interrupt; },
          [this](std::chrono::milliseconds time) {
            pauses.push_back(time);
            if (between_looks) between_looks();
          }};
}

Result<RunEnd> FakeRun::drive() {
  DriverContext context = driver_context();
  return run_driver(run, context);
}

State FakeRun::drive_to_end() {
  const auto end = drive();
  if (!end) invariant_failed(__FILE__, __LINE__, end.error().message());
  FORGE_CHECK(std::holds_alternative<Finished>(*end));
  return state();
}

State FakeRun::state() {
  auto state = read_state(fs, run);
  if (!state) invariant_failed(__FILE__, __LINE__, state.error().message());
  return std::move(*state);
}

std::string essence(const State& state) {
  std::string text;
  for (const auto& round : state.rounds) {
    text += event_data(round.started).dump() + "\n";
    if (round.judged) text += event_data(*round.judged).dump() + "\n";
  }
  for (const auto& milestone : state.milestones) {
    text += milestone.outline.id + (milestone.closed ? " closed" : " open");
    for (const auto& [row, why] : milestone.closed_rows) text += " " + row + ": " + why;
    text += "\n";
  }
  for (const int best : state.bests) text += std::to_string(best) + " ";
  for (const auto& confirmed : state.confirmations) text += event_data(confirmed).dump() + "\n";
  if (state.finished) text += event_data(*state.finished).dump();
  return text;
}

}  // namespace forge
