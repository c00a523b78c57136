// forge-worker BUNDLE RESULT: does one job beside the hardware. The result is a folder, written
// under a temporary name and renamed when whole: result.json, or error.json where the job failed
// for reasons that are not the candidate's. Running a bundle twice is harmless. On standard output
// it says, a line each, what it waits for.
#include <cstdio>
#include <cstring>

#include "sys/interrupt.h"
#include "worker/error_json.h"
#include "worker/run_job.h"

namespace forge {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;

Status write_result(Fs& fs, const Path& result, const char* name, const Json& json) {
  Path temporary = result;
  temporary += ".tmp";
  FORGE_TRY_STATUS(fs.remove_all(temporary));
  FORGE_TRY_STATUS(fs.make_directories(temporary));
  FORGE_TRY_STATUS(fs.write_atomic(temporary / name, json.dump_pretty() + "\n"));
  FORGE_TRY_STATUS(fs.remove_all(result));
  return fs.rename(temporary, result);
}

Result<JobResult> do_job(const Path& bundle, Fs& fs, ProcessRunner& processes, Clock& clock) {
  FORGE_TRY(const WorkerCpus cpus, choose_worker_cpus());
  return run_job(bundle, WorkerContext{&fs, &processes, &clock, cpus});
}

int report(const Error& error) {
  std::fprintf(stderr, "forge-worker: %s\n", error.message().c_str());
  return error.kind == ErrorKind::kEnvironment ? kWorkerExitEnvironment : kFailed;
}

int run(const Path& bundle, const Path& result) {
  install_interrupt_handler();
  const auto fs = make_real_fs();
  const auto processes = make_real_process_runner();
  const auto clock = make_real_clock();
  const auto done = do_job(bundle, *fs, *processes, *clock);
  const Status written = done ? write_result(*fs, result, "result.json", to_json(*done))
                              : write_result(*fs, result, "error.json", to_json(done.error()));
  if (!written) return report(written.error());
  return done ? kDone : report(done.error());
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("forge-worker " FORGE_VERSION);
    return 0;
  }
  if (argc != 3) {
    std::fputs("usage: forge-worker BUNDLE RESULT\n", stderr);
    return forge::kFailed;
  }
  return forge::run(argv[1], argv[2]);
}
