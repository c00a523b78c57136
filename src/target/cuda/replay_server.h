// A replayer's side of the conversation with whoever started it: requests in, answers out. May
// know: base, sys, replayer.h. Format: docs/formats/replay-protocol.md.
#pragma once

#include <string>

#include "base/json.h"
#include "sys/channel.h"
#include "sys/shared_memory.h"
#include "target/cuda/replayer.h"

namespace forge {

class ReplayServer {
 public:
  // The reference must outlive it.
  explicit ReplayServer(Replayer& replayer) : replayer_(replayer) {}
  // The answer to one request; what went wrong is in it.
  Json answer(Channel::Message message);

 private:
  Result<Json> handle(const JsonReader& request, std::vector<UniqueFd>& descriptors);
  Status take_arena(std::vector<UniqueFd>& descriptors);
  Status begin_trial(const std::vector<UniqueFd>& descriptors);
  Status prepare(const JsonReader& request);
  Result<Json> measure(const JsonReader& request);

  Replayer& replayer_;
  SharedMemory arena_;
};

// {"fault": {"kind", "reason"}}
Json fault_json(const ReplayFault& fault);

}  // namespace forge
