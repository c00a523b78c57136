#include "driver/job_runner.h"

#include "student/verdict.h"
#include "sys/interrupt.h"

namespace forge {
namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr std::chrono::milliseconds kFirstPause{1000};

bool says_nothing(const JobOutcome& outcome) {
  if (const auto* error = std::get_if<Error>(&outcome)) return should_retry(Error(*error));
  return should_retry(std::get<JobResult>(outcome));
}

// Interruptions are ours to handle, and what a person has to put right stops the run, which then
// goes on with the same job; everything else that a job ends with is its outcome.
Result<JobOutcome> outcome_of(Error error) {
  if (error.kind == ErrorKind::kInterrupted || error.kind == ErrorKind::kEnvironment) return error;
  return JobOutcome(std::move(error));
}

}  // namespace

Result<JobOutcome> JobRunner::run(const JobOrder& order) {
  for (int tries = 1;; ++tries) {
    FORGE_TRY(auto outcome, try_once(order));
    if (!says_nothing(outcome) || tries == kJobTries) return outcome;
    // Else the result that says nothing would be found and used again.
    FORGE_TRY_STATUS(context_.fs.remove_all(paths_.job_result(order.number)));
    context_.pause(kFirstPause * (1 << (2 * (tries - 1))));
    if (context_.interrupted()) return interrupted_error("job " + order.spec.id);
  }
}

Result<JobOutcome> JobRunner::try_once(const JobOrder& order) {
  const JobTicket ticket{order.spec.id, paths_.job_bundle(order.number),
                         paths_.job_result(order.number)};
  FORGE_TRY_STATUS(
      write_bundle(context_.fs, ticket.bundle, paths_.problem(), order.spec, order.arms));
  if (auto submitted = context_.delivery.submit(ticket); !submitted) {
    return outcome_of(std::move(submitted.error()));
  }
  if (auto ended = wait_for(ticket); !ended) {
    context_.delivery.cancel(ticket);
    return outcome_of(std::move(ended.error()));
  }
  auto result = context_.delivery.collect(ticket);
  if (!result) return outcome_of(std::move(result.error()));
  return JobOutcome(std::move(*result));
}

Status JobRunner::wait_for(const JobTicket& ticket) {
  while (true) {
    tick_();
    if (context_.interrupted()) return interrupted_error("job " + ticket.id);
    FORGE_TRY(const bool ended, context_.delivery.wait(ticket, kTick));
    for (const auto& line : context_.delivery.news(ticket)) context_.progress.notice(line);
    if (ended) return {};
  }
}

}  // namespace forge
