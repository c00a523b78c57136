// Brings a job to its end: bundle, submit, wait, collect, and again if it said nothing. May know:
// delivery, run.
#pragma once

#include <functional>
#include <variant>

#include "driver/context.h"
#include "driver/job_specs.h"

namespace forge {

// The Error is infrastructure's, after all tries: no evidence about anyone's code.
using JobOutcome = std::variant<JobResult, Error>;

inline constexpr int kJobTries = 3;

class JobRunner {
 public:
  // `tick` is called several times a second while a job runs.
  JobRunner(DriverContext& context, const RunPaths& paths, std::function<void()> tick)
      : context_(context), paths_(paths), tick_(std::move(tick)) {}

  // A whole result of an earlier attempt at the same job is used. The outer error is no
  // outcome: an interruption, or what a person has to put right first (a full disk, no compiler).
  Result<JobOutcome> run(const JobOrder& order);

 private:
  Result<JobOutcome> try_once(const JobOrder& order);
  Status wait_for(const JobTicket& ticket);

  DriverContext& context_;
  const RunPaths& paths_;
  std::function<void()> tick_;
};

}  // namespace forge
