#include "agent/reply_parts.h"

#include "base/text.h"

namespace forge {

const std::string* string_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found == nullptr ? nullptr : found->as_string();
}

std::int64_t count_at(const Json& json, std::string_view key) {
  std::int64_t value = 0;
  const Json* found = json.find(key);
  return found != nullptr && found->as_int(value) && value > 0 ? value : 0;
}

Error unreadable_answer(std::string cause) {
  return Error{ErrorKind::kInfrastructure, "cannot read", "the server's answer", std::move(cause),
               ""};
}

Error server_says(const Json* error, std::string_view otherwise) {
  const std::string* said = error == nullptr ? nullptr : string_at(*error, "message");
  return unreadable_answer("the server says: " +
                           clip(printable(said != nullptr ? *said : otherwise), 300));
}

Result<ToolCall*> ReplyParts::call(std::int64_t index) {
  ToolCall& found = calls_[index];
  if (calls_.size() > kMaxCallsPerReply) return unreadable_answer("it holds too many calls");
  return &found;
}

ToolCall* ReplyParts::find(std::int64_t index) {
  const auto found = calls_.find(index);
  return found == calls_.end() ? nullptr : &found->second;
}

Status ReplyParts::add(std::string& to, const std::string& text) {
  bytes_ += text.size();
  if (bytes_ > kMaxReplyBytes) return unreadable_answer("it is longer than 8 MiB");
  to += text;
  return {};
}

Reply ReplyParts::take() {
  for (auto& [index, call] : calls_) reply.calls.push_back(std::move(call));
  return std::move(reply);
}

}  // namespace forge
