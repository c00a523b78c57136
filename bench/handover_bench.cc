// What a call costs beside the kernel: a kernel that copies one element is timed through the whole
// path (go, spin, Args, call, done), 16 calls to an interval, and set against one reading of the
// clock. Its buffers are flushed, so that a few cache misses of the element itself are in the time.
//
// usage: handover_bench
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "worker/worker_rig.h"

namespace forge {
namespace {

double clock_reading_ns(Clock& clock) {
  constexpr int kReadings = 1'000'000;
  const std::int64_t begin = clock.monotonic_ns();
  std::int64_t last = begin;
  for (int i = 0; i < kReadings; ++i) last = clock.monotonic_ns();
  return static_cast<double>(last - begin) / kReadings;
}

Result<JobResult> measure(WorkerRig& rig) {
  const Path task = Path(FORGE_SOURCE_DIR) / "bench/tasks/one_element";
  ArmSpec reference;
  reference.label = "reference";
  reference.source = "problem/reference/copy.cpp";
  FORGE_TRY(JobSpec job, rig.job(JobKind::kAlign, "align", task));
  FORGE_TRY(const JobResult aligned, rig.run(job, task, {{reference, {}}}));
  FORGE_TRY(job, rig.job(JobKind::kBaseline, "baseline", task));
  job.tolerance = std::get<AlignResult>(aligned.body).tolerance;
  return rig.run(job, task, {{reference, {}}});
}

int run() {
  WorkerRig rig;
  const auto result = measure(rig);
  if (!result) {
    std::fprintf(stderr, "handover_bench: %s\n", result.error().message().c_str());
    return 1;
  }
  const auto clock = make_real_clock();
  const double reading = clock_reading_ns(*clock);
  const double call = result->times.front().median_ns;
  fmt::print("a call of one element: {:.0f} ns; a clock reading: {:.0f} ns; ratio {:.1f}\n", call,
             reading, call / reading);
  return 0;
}

}  // namespace
}  // namespace forge

int main() { return forge::run(); }
