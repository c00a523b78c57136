// What readers of streamed answers share, whatever the protocol. Pure. May know: chat.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "agent/chat.h"

namespace forge {

// Members of a server's or a program's JSON, which may be anything: nullptr, and 0 for what is no
// positive integer.
const std::string* string_at(const Json& json, std::string_view key);
std::int64_t count_at(const Json& json, std::string_view key);

// `error`: the server's own object; `otherwise` is quoted where it has no message.
Error server_says(const Json* error, std::string_view otherwise);

// A reply that comes in pieces, within bounds.
class ReplyParts {
 public:
  Reply reply;

  // The call with this number, a new one if there is none.
  Result<ToolCall*> call(std::int64_t index);
  ToolCall* find(std::int64_t index);  // nullptr: there is none
  const std::map<std::int64_t, ToolCall>& calls() const { return calls_; }
  // Appends to one of the reply's texts.
  Status add(std::string& to, const std::string& text);
  // Calls in the order of their numbers.
  Reply take();

 private:
  std::map<std::int64_t, ToolCall> calls_;
  std::size_t bytes_ = 0;
};

}  // namespace forge
