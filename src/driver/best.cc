#include "driver/best.h"

#include "base/text.h"
#include "student/verdict.h"
#include "target/kernel_header.h"
#include "worker/result.h"

namespace forge {
namespace {

Result<Json> read_result_json(FileReader& fs, const Path& folder) {
  const auto file = folder / "result.json";
  FORGE_TRY(const auto text, fs.read(file));
  return parse_json(text, file.string());
}

std::string build_command(const JobResult& result) {
  for (const auto& arm : result.arms) {
    if (arm.label == kCandidateArm) return join(arm.build_command, " ") + "\n";
  }
  return "unknown\n";
}

}  // namespace

Status export_best(const State& state, const Problem& problem, const RunPaths& paths, Fs& fs) {
  const auto* best = state.best();
  if (best == nullptr) {
    if (fs.exists(paths.best())) FORGE_TRY_STATUS(fs.remove_all(paths.best()));
    return {};
  }
  const auto* confirmed = state.confirmation();
  const bool is_confirmed = confirmed != nullptr && confirmed->verdict == Verdict::kPassed;
  const int job = is_confirmed ? confirmed->job : best->started.job;
  FORGE_TRY(const auto kernel, fs.read(paths.job_candidate(best->started.job)));
  FORGE_TRY(auto measured, read_result_json(fs, paths.job_result(job)));
  FORGE_TRY(const auto result, result_from_json(measured, "result.json"));

  Json bench = Json::object();
  bench.set("round", best->started.round);
  bench.set("commit", best->started.commit);
  bench.set("measured_by", is_confirmed ? "confirmation" : "round");
  bench.set("result", std::move(measured));
  FORGE_TRY_STATUS(fs.make_directories(paths.best()));
  FORGE_TRY_STATUS(fs.write_atomic(paths.best() / kKernelFile, kernel));
  FORGE_TRY_STATUS(fs.write_atomic(paths.best() / kKernelHeaderFile, kernel_header(problem)));
  FORGE_TRY_STATUS(fs.write_atomic(paths.best() / "bench.json", bench.dump_pretty() + "\n"));
  return fs.write_atomic(paths.best() / "build.txt", build_command(result));
}

}  // namespace forge
