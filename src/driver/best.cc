#include "driver/best.h"

#include "driver/bench_json.h"
#include "driver/build_text.h"
#include "run/journal.h"
#include "student/verdict.h"
#include "sys/support_files.h"
#include "target/kernel_header.h"
#include "worker/result.h"

namespace forge {
namespace {

constexpr std::string_view kInterfaceHeader = "include/forge/kernel.h";

std::vector<std::string> build_command(const JobResult& result) {
  for (const auto& arm : result.arms) {
    if (arm.label == kCandidateArm) return arm.build_command;
  }
  return {};
}

// The job that the best's numbers come from.
int measuring_job(const State& state) {
  const auto* confirmed = state.confirmation();
  const bool is_confirmed = confirmed != nullptr && confirmed->verdict == Verdict::kPassed;
  return is_confirmed ? confirmed->job : state.best()->started.job;
}

Status write_measurements(const State& state, const Problem& problem, const RunPaths& paths,
                          Fs& fs) {
  const auto file = paths.job_result(measuring_job(state)) / "result.json";
  FORGE_TRY(const auto text, fs.read(file));
  FORGE_TRY(const auto json, parse_json(text, file.string()));
  FORGE_TRY(const auto result, result_from_json(json, file.string()));
  FORGE_TRY(const auto journal, read_journal(fs, paths.journal()));
  const auto bench = bench_json({problem, state, journal, result, json});
  FORGE_TRY_STATUS(fs.write_atomic(paths.best() / "bench.json", bench.dump_pretty() + "\n"));
  return fs.write_atomic(paths.best() / "build.txt",
                         build_text(build_command(result), problem.build.includes));
}

// What build.txt's portable command needs beside the kernel.
Status write_includes(const Problem& problem, const RunPaths& paths, Fs& fs) {
  const auto best = paths.best();
  FORGE_TRY_STATUS(fs.write_atomic(best / kKernelHeaderFile, kernel_header(problem)));
  const auto header = support_file(kInterfaceHeader);
  FORGE_CHECK(header.has_value());
  FORGE_TRY_STATUS(fs.make_directories((best / kInterfaceHeader).parent_path()));
  FORGE_TRY_STATUS(fs.write_atomic(best / kInterfaceHeader, *header));
  for (const auto& folder : problem.build.includes) {
    FORGE_TRY(const auto files, list_files_recursively(fs, paths.problem() / folder));
    for (const auto& file : files) {
      FORGE_TRY(const auto content, fs.read(paths.problem() / folder / file));
      FORGE_TRY_STATUS(fs.make_directories((best / folder / file).parent_path()));
      FORGE_TRY_STATUS(fs.write_atomic(best / folder / file, content));
    }
  }
  return {};
}

}  // namespace

Status export_best(const State& state, const Problem& problem, const RunPaths& paths, Fs& fs) {
  const auto* best = state.best();
  if (best == nullptr) {
    if (fs.exists(paths.best())) FORGE_TRY_STATUS(fs.remove_all(paths.best()));
    return {};
  }
  FORGE_TRY(const auto kernel, fs.read(paths.job_candidate(best->started.job)));
  FORGE_TRY_STATUS(fs.make_directories(paths.best()));
  FORGE_TRY_STATUS(fs.write_atomic(paths.best() / kKernelFile, kernel));
  FORGE_TRY_STATUS(write_includes(problem, paths, fs));
  return write_measurements(state, problem, paths, fs);
}

}  // namespace forge
