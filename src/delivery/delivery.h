// How a job gets to the hardware and its result back. May know: base, sys, worker/job.h,
// worker/result.h.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "worker/job.h"
#include "worker/result.h"

namespace forge {

struct JobTicket {
  std::string id;
  Path bundle;
  Path result;
};

class Delivery {
 public:
  virtual ~Delivery() = default;
  virtual std::string_view name() const = 0;
  // Starts the job whose bundle is complete. Submitting a bundle again is harmless.
  virtual Status submit(const JobTicket& ticket) = 0;
  // True when the job has ended, one way or another; false after `timeout`.
  virtual Result<bool> wait(const JobTicket& ticket, std::chrono::milliseconds timeout) = 0;
  // What a person should know of a job that has not ended, said once: what it waits for. One line
  // each; read by wait().
  virtual std::vector<std::string> news(const JobTicket& ticket) = 0;
  // The result of an ended job. An error is infrastructure, never the candidate's fault.
  virtual Result<JobResult> collect(const JobTicket& ticket) = 0;
  virtual void cancel(const JobTicket& ticket) = 0;
};

std::unique_ptr<Delivery> make_local_delivery(Path worker_executable, Fs& fs,
                                              ProcessRunner& processes);

}  // namespace forge
