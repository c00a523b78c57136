// Starts forge-worker as a process of its own on this machine. A worker that dies, hangs or leaves
// nothing is started again after a pause; what it reports, result or error, is final.
#include "delivery/local.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "base/digest.h"
#include "base/text.h"
#include "sys/interrupt.h"
#include "worker/error_json.h"

namespace forge {
namespace {

using std::chrono::milliseconds;

// A job between submit and collect.
struct Attempt {
  int tries = 0;
  std::unique_ptr<Child> child;              // while a worker runs
  std::size_t told = 0;                      // bytes of its output that news() gave on
  milliseconds pause_left{0};                // before the next try, while none runs
  std::optional<Result<JobResult>> outcome;  // when the job has ended
};

struct Nothing {
  std::string why;
};
// What lies in a result folder: the answer, the worker's own error, or nothing whole.
using Found = std::variant<JobResult, Error, Nothing>;

Found read_result(FileReader& fs, const Path& folder) {
  const Path answer = folder / "result.json";
  const Path failure = folder / "error.json";
  if (!fs.exists(answer) && !fs.exists(failure)) return Nothing{"it left no result"};
  const Path& file = fs.exists(answer) ? answer : failure;
  const auto text = fs.read(file);
  if (!text) return Nothing{text.error().message()};
  const auto parsed = parse_json(*text, file.string());
  if (!parsed) return Nothing{parsed.error().message()};
  if (&file == &answer) {
    auto result = result_from_json(*parsed, file.string());
    if (!result) return Nothing{result.error().message()};
    return std::move(*result);
  }
  return error_from_json(*parsed, file.string());
}

std::string last_words(const ProcessResult& end) {
  const auto text = trim(end.standard_error);
  if (text.empty()) return "";
  const auto lines = split_lines(text);
  return fmt::format(" (it said: {})", clip(printable(lines.back()), 300));
}

bool needs_a_person(const ProcessResult& end) {
  const auto* exited = std::get_if<Exited>(&end.end);
  return exited != nullptr && exited->code == kWorkerExitEnvironment;
}

class LocalDelivery : public Delivery {
 public:
  LocalDelivery(Path worker, Fs& fs, ProcessRunner& processes, LocalPolicy policy)
      : worker_(std::move(worker)), fs_(fs), processes_(processes), policy_(std::move(policy)) {}

  std::string_view name() const override { return "local"; }

  Status submit(const JobTicket& ticket) override {
    if (attempts_.contains(ticket.id)) return {};
    FORGE_TRY(const Digest digest, bundle_digest(fs_, ticket.bundle));
    Attempt attempt;
    if (auto whole = whole_result(ticket, digest)) {
      attempt.outcome = std::move(*whole);
    } else {
      // The old result goes before the new stamp comes: together they would be a lie.
      FORGE_TRY_STATUS(fs_.remove_all(ticket.result));
      FORGE_TRY_STATUS(fs_.write_atomic(result_stamp(ticket.result), digest.hex));
      FORGE_TRY_STATUS(start(ticket, attempt));
    }
    attempts_.emplace(ticket.id, std::move(attempt));
    return {};
  }

  // May return false early, between a try that failed and the next one.
  Result<bool> wait(const JobTicket& ticket, milliseconds timeout) override {
    FORGE_TRY(Attempt * attempt, find(ticket, "cannot wait for"));
    if (attempt->outcome) return true;
    if (attempt->child) {
      FORGE_TRY(const auto end, attempt->child->wait(timeout));
      if (end) after_end(ticket, *attempt, *end);
    } else {
      pause(ticket, *attempt, timeout);
    }
    return attempt->outcome.has_value();
  }

  std::vector<std::string> news(const JobTicket& ticket) override {
    const auto found = attempts_.find(ticket.id);
    if (found == attempts_.end() || !found->second.child) return {};
    Attempt& attempt = found->second;
    const auto output = attempt.child->output_so_far();
    const auto whole = output.rfind('\n') + 1;  // npos + 1 is 0
    if (whole <= attempt.told) return {};
    auto lines = split_lines(printable(output.substr(attempt.told, whole - attempt.told)));
    attempt.told = whole;
    return lines;
  }

  Result<JobResult> collect(const JobTicket& ticket) override {
    FORGE_TRY(Attempt * attempt, find(ticket, "cannot collect"));
    if (!attempt->outcome) {
      return Error{ErrorKind::kBusy, "cannot collect job", ticket.id, "it still runs",
                   "wait for it first"};
    }
    Result<JobResult> outcome = std::move(*attempt->outcome);
    attempts_.erase(ticket.id);
    return outcome;
  }

  void cancel(const JobTicket& ticket) override {
    attempts_.erase(ticket.id);  // destroying a Child kills its whole group
  }

 private:
  Result<Attempt*> find(const JobTicket& ticket, std::string attempt) {
    const auto found = attempts_.find(ticket.id);
    if (found != attempts_.end()) return &found->second;
    return Error{ErrorKind::kNotFound, std::move(attempt) + " job", ticket.id,
                 "it was never submitted", ""};
  }

  // An error.json is not reused: whoever submits again may have removed its cause.
  std::optional<Result<JobResult>> whole_result(const JobTicket& ticket, const Digest& digest) {
    const Path stamp = result_stamp(ticket.result);
    if (!fs_.exists(stamp)) return std::nullopt;
    const auto stamped = fs_.read(stamp);
    if (!stamped || trim(*stamped) != digest.hex) return std::nullopt;
    Found found = read_result(fs_, ticket.result);
    if (auto* result = std::get_if<JobResult>(&found)) return std::move(*result);
    return std::nullopt;
  }

  Status start(const JobTicket& ticket, Attempt& attempt) {
    ++attempt.tries;
    if (fs_.exists(ticket.result)) FORGE_TRY_STATUS(fs_.remove_all(ticket.result));
    ProcessSpec spec;
    spec.argv = {worker_.string(), ticket.bundle.string(), ticket.result.string()};
    spec.limits.wall = policy_.worker_limit;
    FORGE_TRY(attempt.child, processes_.start(spec));
    attempt.told = 0;
    return {};
  }

  void after_end(const JobTicket& ticket, Attempt& attempt, const ProcessResult& end) {
    attempt.child.reset();
    Found found = read_result(fs_, ticket.result);
    if (auto* result = std::get_if<JobResult>(&found)) {
      attempt.outcome = std::move(*result);
    } else if (auto* error = std::get_if<Error>(&found)) {
      attempt.outcome = std::move(*error);
    } else if (needs_a_person(end)) {
      attempt.outcome = Error{ErrorKind::kEnvironment, "cannot do job", ticket.id,
                              "the worker could not write its result" + last_words(end), ""};
    } else if (attempt.tries >= policy_.max_tries) {
      attempt.outcome =
          Error{ErrorKind::kInfrastructure, "cannot do job", ticket.id,
                fmt::format("the worker {} and {}, {} times in a row{}", end.describe_end(),
                            std::get<Nothing>(found).why, attempt.tries, last_words(end)),
                "run forge doctor, then try again"};
    } else {
      attempt.pause_left = policy_.first_pause;
      for (int i = 1; i < attempt.tries; ++i) attempt.pause_left *= 4;
    }
  }

  void pause(const JobTicket& ticket, Attempt& attempt, milliseconds timeout) {
    const milliseconds step = std::min(timeout, attempt.pause_left);
    policy_.pause(step);
    attempt.pause_left -= step;
    if (attempt.pause_left > milliseconds(0)) return;
    if (Status started = start(ticket, attempt); !started) {
      attempt.outcome = Error(started.error());
    }
  }

  Path worker_;
  Fs& fs_;
  ProcessRunner& processes_;
  LocalPolicy policy_;
  std::map<std::string, Attempt> attempts_;
};

}  // namespace

void pause_or_interrupt(milliseconds time) {
  pollfd ctrl_c{interrupt_fd(), POLLIN, 0};
  poll(&ctrl_c, 1, static_cast<int>(time.count()));
}

LocalPolicy default_local_policy() {
  LocalPolicy policy;
  // The driver retries jobs, whatever delivers them; trying here too would multiply the tries.
  policy.max_tries = 1;
  policy.pause = pause_or_interrupt;
  return policy;
}

Result<Digest> bundle_digest(FileReader& fs, const Path& bundle) {
  Hasher hasher;
  FORGE_TRY(const std::string job, fs.read(bundle / "job.json"));
  hasher.add(job);
  if (fs.is_directory(bundle / "arms")) {
    FORGE_TRY(const auto files, list_files_recursively(fs, bundle / "arms"));
    for (const Path& file : files) {
      FORGE_TRY(const std::string text, fs.read(bundle / "arms" / file));
      hasher.add(file.string()).add(text);
    }
  }
  return hasher.finish();
}

Path result_stamp(const Path& result) { return Path(result.string() + ".bundle"); }

std::unique_ptr<Delivery> make_local_delivery(Path worker_executable, Fs& fs,
                                              ProcessRunner& processes, LocalPolicy policy) {
  return std::make_unique<LocalDelivery>(std::move(worker_executable), fs, processes,
                                         std::move(policy));
}

std::unique_ptr<Delivery> make_local_delivery(Path worker_executable, Fs& fs,
                                              ProcessRunner& processes) {
  return make_local_delivery(std::move(worker_executable), fs, processes, default_local_policy());
}

}  // namespace forge
