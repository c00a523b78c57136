// A local socket pair over which messages and descriptors pass to a helper process. May know: base.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"
#include "sys/unique_fd.h"

namespace forge {

// Message boundaries are kept; the other end is given to a child.
class Channel {
 public:
  Channel() = default;  // closed
  static Result<Channel> create();
  // The other end, in the process that was given it.
  static Channel adopt(int descriptor);

  int other_end() const { return other_.get(); }
  void close_other_end() { other_.reset(); }

  Status send(const std::string& message, const std::vector<int>& descriptors);
  // An empty message means that the other side has closed.
  Result<std::string> receive(std::chrono::milliseconds timeout);

  struct Message {
    std::string text;  // empty: the other side has closed
    std::vector<UniqueFd> descriptors;
  };
  // Waits without a limit.
  Result<Message> receive_with_descriptors();

 private:
  UniqueFd mine_;
  UniqueFd other_;
};

}  // namespace forge
