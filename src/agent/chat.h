// A conversation with a model, whatever server answers it. Pure. May know: base, tools.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agent/config.h"
#include "agent/tools.h"
#include "base/json.h"

namespace forge {

struct ToolCall {
  std::string id;  // no two of a conversation are equal
  std::string tool;
  std::string arguments;  // JSON, or what was sent instead
};

struct UserSaid {
  std::string text;
};
struct ModelSaid {
  std::string text;
  std::vector<ToolCall> calls;
};
struct ToolSaid {
  std::string id;
  std::string text;
  ToolEnd end = ToolEnd::kDone;
};
using ChatMessage = std::variant<UserSaid, ModelSaid, ToolSaid>;

struct TokenCounts {
  std::int64_t input = 0;   // that were not in the server's cache
  std::int64_t cached = 0;  // that were
  std::int64_t output = 0;
};

enum class ReplyEnd {
  kComplete,
  kLength,   // the answer was cut at the number of tokens that was asked for
  kRefused,  // the server would not let it be said
};

struct Reply {
  std::string text;
  std::vector<ToolCall> calls;
  ReplyEnd end = ReplyEnd::kComplete;
  TokenCounts tokens;
};

struct Chat {
  std::string model;
  std::string system;
  std::vector<ToolDefinition> tools;
  std::vector<ChatMessage> messages;
  std::int64_t output_tokens = 0;
};

// Takes a streamed answer as it comes.
class ReplyReader {
 public:
  virtual ~ReplyReader() = default;
  // One event of the stream. An error: it is none of this protocol, or the server's own.
  virtual Status event(std::string_view data) = 0;
  // Nothing, if the stream ended before the answer did.
  virtual std::optional<Reply> finish() = 0;
};

// One server's way to say all this.
class Protocol {
 public:
  virtual ~Protocol() = default;
  virtual std::string url(const ServerSettings& server) const = 0;
  virtual std::vector<std::string> headers(const std::string& key) const = 0;
  virtual std::string body(const Chat& chat, const ServerSettings& server) const = 0;
  virtual std::unique_ptr<ReplyReader> reader() const = 0;
};
std::unique_ptr<Protocol> make_openai_protocol();
std::unique_ptr<Protocol> make_anthropic_protocol();

// An answer may not hold more: a server that goes on and on would fill the memory.
inline constexpr std::size_t kMaxReplyBytes = 8 << 20;
inline constexpr std::size_t kMaxCallsPerReply = 64;

Error unreadable_answer(std::string cause);

}  // namespace forge
