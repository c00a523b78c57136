// A process that runs one arm on a GPU: the replayer with a kernel's plan, or Python with a PyTorch
// reference. Both speak docs/formats/replay-protocol.md. May know: base, sys, bench/arm.h.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "bench/arm.h"
#include "sys/channel.h"
#include "sys/pinned_process.h"

namespace forge {

class DeviceProcess {
 public:
  // Starts it with its end of a channel at `channel_fd`; does not wait. `name` is for messages.
  static Result<DeviceProcess> start(PinnedSpec spec, int channel_fd, const std::string& name);

  // Waits for its first words, if they have not been heard. An error if these are a fault: there is
  // no such device, no PyTorch, …
  Status greet(std::chrono::seconds limit);
  const Json& hello() const { return hello_; }
  // One request and its answer, or what went wrong. A process that says nothing for `seconds` is a
  // fault of kind `when_silent`; one that has ended is infrastructure.
  std::variant<Json, ArmFault> ask(const Json& request, const std::vector<int>& descriptors,
                                   double seconds, FaultKind when_silent);
  // Kills and reaps it: whatever still runs on the device ends with it.
  void kill() { process_.kill(); }
  // For one that may still be making its context: lets it end by itself, and kills it if it won't.
  void dismiss();
  const std::string& output() { return process_.output(); }

 private:
  PinnedProcess process_;
  Channel channel_;
  std::string name_;
  Json hello_;
};

}  // namespace forge
