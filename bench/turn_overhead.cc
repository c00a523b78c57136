// What a turn costs beside the agent's own time: laying its view out, and the whole of it. On the
// disk of the folder that is given; prints medians and worst cases in milliseconds.
//
// usage: turn_overhead PROBLEM FOLDER
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "driver/create_run.h"
#include "driver/turn_taker.h"
#include "problem/load.h"
#include "sys/clock.h"

namespace forge {
namespace {

class Instant final : public Backend {
 public:
  explicit Instant(Fs& fs) : fs_(fs) {}
  std::string_view name() const override { return "instant"; }
  std::string model() const override { return "none"; }
  Result<TurnOutcome> take_turn(const Turn& turn) override {
    FORGE_TRY_STATUS(fs_.write_atomic(turn.workspace / kKernelFile, "// changed\n"));
    return TurnOutcome(TurnDone{"changed", {}});
  }

 private:
  Fs& fs_;
};

class Silent final : public Progress {
 public:
  void update(const ProgressSnapshot&) override {}
  void notice(std::string_view) override {}
};

class NoDelivery final : public Delivery {
 public:
  std::string_view name() const override { return "none"; }
  Status submit(const JobTicket&) override { return {}; }
  Result<bool> wait(const JobTicket&, std::chrono::milliseconds) override { return true; }
  std::vector<std::string> news(const JobTicket&) override { return {}; }
  Result<JobResult> collect(const JobTicket&) override { return Error{}; }
  void cancel(const JobTicket&) override {}
};

void print(const char* what, std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  fmt::print("{}: median {:.2f} ms, worst {:.2f} ms of {}\n", what, ms[ms.size() / 2], ms.back(),
             ms.size());
}

template <typename Work>
Result<double> time_ms(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  FORGE_TRY_STATUS(work());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

Status measure(const Path& task, const Path& folder) {
  const auto fs = make_real_fs();
  const auto processes = make_real_process_runner();
  const auto clock = make_real_clock();
  const auto entropy = make_real_entropy();
  const NewRun request{task, folder, "bench", "instant", "none", "none", "", ""};
  FORGE_TRY(const Path run, create_run(request, *fs, *clock, *entropy));
  const RunPaths paths(run);
  FORGE_TRY(const Problem problem, load_problem(*fs, paths.problem(), HiddenShapes::kLoad));
  Instant instant(*fs);
  Silent silent;
  NoDelivery delivery;
  DriverContext context{*fs,
                        *processes,
                        *clock,
                        delivery,
                        [&](Role) -> Backend& { return instant; },
                        silent,
                        folder,
                        "bench",
                        [] { return false; },
                        [](std::chrono::milliseconds) {},
                        Redactor(),
                        [](const RunPaths&) { return Status(); }};
  std::vector<double> views;
  std::vector<double> turns;
  for (int i = 1; i <= 50; ++i) {
    TurnRequest turn;
    turn.number = i;
    turn.prompt = std::string(4000, 'p');
    turn.brief = Json::object();
    turn.view = student_view(problem, paths, State(), "// the kernel\n");
    FORGE_TRY(const double view_ms, time_ms([&] {
                return lay_out(*fs, turn.view, Sight::kView, Durability::kScratch,
                               run / fmt::format("view{}", i));
              }));
    views.push_back(view_ms);
    FORGE_TRY(const double turn_ms, time_ms([&]() -> Status {
                FORGE_TRY(const auto taken, take_turn(context, paths, turn));
                return {};
              }));
    turns.push_back(turn_ms);
  }
  print("a student's view", std::move(views));
  print("a whole turn without the agent", std::move(turns));
  return fs->remove_all(run);
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: turn_overhead PROBLEM FOLDER\n");
    return 1;
  }
  const auto measured = forge::measure(argv[1], argv[2]);
  if (measured) return 0;
  std::fprintf(stderr, "turn_overhead: %s\n", measured.error().message().c_str());
  return 1;
}
