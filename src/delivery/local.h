// Settings of the local delivery that tests change. May know: delivery.h.
#pragma once

#include <chrono>
#include <functional>

#include "base/digest.h"
#include "delivery/delivery.h"

namespace forge {

struct LocalPolicy {
  int max_tries = 3;
  // Before the second try; each later one waits four times as long as the one before.
  std::chrono::milliseconds first_pause{250};
  // Far beyond what any job needs: only a worker that hangs itself gets there.
  std::chrono::milliseconds worker_limit{std::chrono::minutes(45)};
  // Waits; may return early when a signal arrives.
  std::function<void(std::chrono::milliseconds)> pause;
};

LocalPolicy default_local_policy();

// Waits, but not beyond the moment at which the user asks us to stop.
void pause_or_interrupt(std::chrono::milliseconds time);

std::unique_ptr<Delivery> make_local_delivery(Path worker_executable, Fs& fs,
                                              ProcessRunner& processes, LocalPolicy policy);

// What of a bundle decides its result: job.json and the arms. The problem is frozen elsewhere.
Result<Digest> bundle_digest(FileReader& fs, const Path& bundle);

// Beside a result: the digest of the bundle that it answers, so that an old result is never taken
// for the answer to a newer question under the same number.
Path result_stamp(const Path& result);

}  // namespace forge
