#include "worker/run_job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/text.h"
#include "sys/lease.h"
#include "sys/pinned_process.h"
#include "worker/jobs.h"
#include "worker/session.h"

namespace forge {
namespace {

constexpr std::size_t kKeptOutput = 8192;

Result<JobSpec> read_job(const Path& bundle, Fs& fs) {
  const Path path = bundle / "job.json";
  FORGE_TRY(const std::string text, fs.read(path));
  FORGE_TRY(const Json json, parse_json(text, path.string()));
  return job_from_json(json, path.string());
}

// Keeps this thread on the measurer's core while it lives.
class Pinned {
 public:
  explicit Pinned(std::vector<int> before) : before_(std::move(before)) {}
  ~Pinned() { static_cast<void>(pin_this_thread(before_)); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  std::vector<int> before_;
};

// Whoever started the worker shows what it prints.
void tell(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

Status dispatch(Session& session) {
  switch (session.job().kind) {
    case JobKind::kAlign:
      return run_align(session);
    case JobKind::kBaseline:
      return run_baseline(session);
    case JobKind::kCheck:
    case JobKind::kJudge:
    case JobKind::kConfirm:
      return run_judge(session);
    case JobKind::kSweep:
      return run_sweep(session);
    case JobKind::kPlan:
      break;  // needs no session
  }
  return {};
}

}  // namespace

Result<JobResult> run_job(const Path& bundle, const WorkerContext& context) {
  FORGE_TRY(const JobSpec job, read_job(bundle, *context.fs));
  if (job.kind == JobKind::kPlan) return run_plan(bundle, job, context);
  // Held from the first compile on: a compiler beside a measurement would disturb it.
  const auto holder = fmt::format("forge-worker, process {}, with {}", getpid(), bundle.string());
  FORGE_TRY(const auto lease, lease_cpus(*context.fs, lease_directory(), holder, tell));
  take_precedence();
  become_subreaper();
  const std::int64_t begin = context.clock->monotonic_ns();
  FORGE_TRY(const auto session, Session::open(bundle, job, context));
  const Pinned pinned(allowed_cpus());
  FORGE_TRY_STATUS(pin_this_thread(context.cpus.measurer));
  FORGE_TRY_STATUS(dispatch(*session));
  JobResult& result = session->result();
  const double total = static_cast<double>(context.clock->monotonic_ns() - begin) * 1e-9;
  result.measure_seconds = total - result.compile_seconds - result.oracle_seconds;
  result.output = clip(result.output, kKeptOutput);
  return std::move(result);
}

}  // namespace forge
