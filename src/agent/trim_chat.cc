#include "agent/server.h"

namespace forge {
namespace {

// Code has fewer bytes a token than prose; too high an estimate only drops a result early.
constexpr std::int64_t kBytesPerToken = 3;
constexpr std::string_view kDropped = "[left out to save room; call the tool again if you need it]";

std::size_t bytes_of(const ChatMessage& message) {
  if (const auto* user = std::get_if<UserSaid>(&message)) return user->text.size();
  if (const auto* tool = std::get_if<ToolSaid>(&message)) return tool->text.size();
  const auto& model = std::get<ModelSaid>(message);
  std::size_t bytes = model.text.size();
  for (const ToolCall& call : model.calls) bytes += call.tool.size() + call.arguments.size();
  return bytes;
}

// Arguments that carry a whole file: the file itself can be read again.
bool shorten_arguments(ModelSaid& model, std::int64_t& bytes, std::int64_t allowed) {
  constexpr std::size_t kShort = 400;
  for (ToolCall& call : model.calls) {
    if (bytes <= allowed) return true;
    if (call.arguments.size() <= kShort) continue;
    bytes -= static_cast<std::int64_t>(call.arguments.size());
    call.arguments = R"({"left_out":"to save room"})";
    bytes += static_cast<std::int64_t>(call.arguments.size());
  }
  return bytes <= allowed;
}

std::int64_t bytes_of(const Chat& chat) {
  auto bytes = static_cast<std::int64_t>(chat.system.size());
  for (const ToolDefinition& tool : chat.tools) {
    bytes += static_cast<std::int64_t>(tool.description.size() + tool.schema.dump().size());
  }
  for (const ChatMessage& message : chat.messages) {
    bytes += static_cast<std::int64_t>(bytes_of(message));
  }
  return bytes;
}

}  // namespace

std::int64_t estimated_tokens(const Chat& chat) { return bytes_of(chat) / kBytesPerToken; }

bool trim_chat(Chat& chat, std::int64_t tokens) {
  std::int64_t bytes = bytes_of(chat);
  const std::int64_t allowed = tokens * kBytesPerToken;
  // The last answers are what the model is about to work on.
  const std::size_t kept = chat.messages.size() > 2 ? chat.messages.size() - 2 : 0;
  for (std::size_t i = 0; i < kept && bytes > allowed; ++i) {
    auto* tool = std::get_if<ToolSaid>(&chat.messages[i]);
    if (tool == nullptr || tool->text.size() <= kDropped.size()) continue;
    bytes -= static_cast<std::int64_t>(tool->text.size() - kDropped.size());
    tool->text = kDropped;
  }
  for (std::size_t i = 0; i < kept && bytes > allowed; ++i) {
    if (auto* model = std::get_if<ModelSaid>(&chat.messages[i])) {
      shorten_arguments(*model, bytes, allowed);
    }
  }
  return bytes <= allowed;
}

}  // namespace forge
