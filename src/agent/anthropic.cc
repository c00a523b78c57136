// Messages, as Anthropic's servers speak them.
#include <algorithm>

#include "agent/reply_parts.h"

namespace forge {
namespace {

// The server keeps everything up to here, tools and system text included, for a few minutes; the
// next request of the turn repeats it.
void mark_for_cache(Json& block) {
  Json kind = Json::object();
  kind.set("type", "ephemeral");
  block.set("cache_control", std::move(kind));
}

Json text_block(const std::string& text) {
  Json block = Json::object();
  block.set("type", "text");
  block.set("text", text);
  return block;
}

Json call_block(const ToolCall& call) {
  // What is no object was answered with an error, and can't be sent back as it came.
  auto input = parse_json(call.arguments.empty() ? "{}" : call.arguments, "arguments");
  const bool is_object = input && input->as_object() != nullptr;
  Json block = Json::object();
  block.set("type", "tool_use");
  block.set("id", call.id);
  block.set("name", call.tool);
  block.set("input", is_object ? std::move(*input) : Json::object());
  return block;
}

Json result_block(const ToolSaid& said) {
  Json block = Json::object();
  block.set("type", "tool_result");
  block.set("tool_use_id", said.id);
  block.set("content", said.text);
  if (said.end == ToolEnd::kRefused) block.set("is_error", true);
  return block;
}

struct Speech {
  std::string_view role;
  Json::Array blocks;
};

void add_blocks(const ChatMessage& message, std::vector<Speech>& speeches) {
  const auto* model = std::get_if<ModelSaid>(&message);
  const std::string_view role = model != nullptr ? "assistant" : "user";
  // Roles must take turns: results of several calls are one message.
  if (speeches.empty() || speeches.back().role != role) speeches.push_back({role, {}});
  Json::Array& blocks = speeches.back().blocks;
  if (const auto* user = std::get_if<UserSaid>(&message)) blocks.push_back(text_block(user->text));
  if (const auto* tool = std::get_if<ToolSaid>(&message)) blocks.push_back(result_block(*tool));
  if (model == nullptr) return;
  if (!model->text.empty()) blocks.push_back(text_block(model->text));
  for (const ToolCall& call : model->calls) blocks.push_back(call_block(call));
  if (blocks.empty()) blocks.push_back(text_block("…"));  // empty messages are refused
}

Json messages_json(const std::vector<ChatMessage>& messages) {
  std::vector<Speech> speeches;
  for (const ChatMessage& message : messages) add_blocks(message, speeches);
  if (!speeches.empty()) mark_for_cache(speeches.back().blocks.back());
  Json list = Json::array();
  for (Speech& speech : speeches) {
    Json json = Json::object();
    json.set("role", speech.role);
    json.set("content", Json(std::move(speech.blocks)));
    list.push_back(std::move(json));
  }
  return list;
}

Json tools_json(const std::vector<ToolDefinition>& tools) {
  Json list = Json::array();
  for (const ToolDefinition& tool : tools) {
    Json json = Json::object();
    json.set("name", tool.name);
    json.set("description", tool.description);
    json.set("input_schema", tool.schema);
    list.push_back(std::move(json));
  }
  return list;
}

class AnthropicReader final : public ReplyReader {
 public:
  Status event(std::string_view data) override {
    FORGE_TRY(const Json json, parse_json(data, "the server's answer"));
    const std::string* type = string_at(json, "type");
    if (type == nullptr) return unreadable_answer("an event of it has no type");
    if (*type == "message_start") {
      if (const Json* message = json.find("message")) take_usage(message->find("usage"));
    } else if (*type == "content_block_start") {
      return begin_block(json);
    } else if (*type == "content_block_delta") {
      return go_on_with_block(json);
    } else if (*type == "message_delta") {
      take_usage(json.find("usage"));
      if (const Json* delta = json.find("delta")) take_reason(string_at(*delta, "stop_reason"));
    } else if (*type == "message_stop") {
      is_over_ = true;
    } else if (*type == "error") {
      return server_says(json.find("error"), data);
    }
    return {};  // pings, and what later versions add
  }

  std::optional<Reply> finish() override {
    if (!is_over_) return std::nullopt;
    return parts_.take();
  }

 private:
  static std::int64_t index_of(const Json& json) { return count_at(json, "index"); }

  Status begin_block(const Json& json) {
    const Json* block = json.find("content_block");
    const std::string* type = block == nullptr ? nullptr : string_at(*block, "type");
    if (type == nullptr || *type != "tool_use") return {};
    FORGE_TRY(ToolCall * call, parts_.call(index_of(json)));
    if (const std::string* id = string_at(*block, "id")) {
      FORGE_TRY_STATUS(parts_.add(call->id, *id));
    }
    if (const std::string* name = string_at(*block, "name")) {
      FORGE_TRY_STATUS(parts_.add(call->tool, *name));
    }
    return {};
  }

  Status go_on_with_block(const Json& json) {
    const Json* delta = json.find("delta");
    if (delta == nullptr) return {};
    if (const std::string* text = string_at(*delta, "text"))
      return parts_.add(parts_.reply.text, *text);
    const std::string* part = string_at(*delta, "partial_json");
    ToolCall* call = parts_.find(index_of(json));
    if (part == nullptr || call == nullptr) return {};
    return parts_.add(call->arguments, *part);
  }

  void take_usage(const Json* usage) {
    if (usage == nullptr) return;
    TokenCounts& tokens = parts_.reply.tokens;
    // Each event repeats the sums that it knows.
    tokens.input = std::max(tokens.input, count_at(*usage, "input_tokens") +
                                              count_at(*usage, "cache_creation_input_tokens"));
    tokens.cached = std::max(tokens.cached, count_at(*usage, "cache_read_input_tokens"));
    tokens.output = std::max(tokens.output, count_at(*usage, "output_tokens"));
  }

  void take_reason(const std::string* reason) {
    if (reason == nullptr) return;
    if (*reason == "max_tokens") parts_.reply.end = ReplyEnd::kLength;
    if (*reason == "refusal") parts_.reply.end = ReplyEnd::kRefused;
  }

  ReplyParts parts_;
  bool is_over_ = false;
};

class AnthropicProtocol final : public Protocol {
 public:
  std::string url(const ServerSettings& server) const override {
    return server.url + "/v1/messages";
  }
  std::vector<std::string> headers(const std::string& key) const override {
    std::vector<std::string> headers = {"Content-Type: application/json",
                                        "Accept: text/event-stream",
                                        "anthropic-version: 2023-06-01", "Expect:"};
    if (!key.empty()) headers.push_back("x-api-key: " + key);
    return headers;
  }
  std::string body(const Chat& chat, const ServerSettings&) const override {
    Json system = Json::array();
    Json block = text_block(chat.system);
    mark_for_cache(block);
    system.push_back(std::move(block));
    Json json = Json::object();
    json.set("model", chat.model);
    json.set("max_tokens", chat.output_tokens);
    json.set("stream", true);
    if (!chat.tools.empty()) json.set("tools", tools_json(chat.tools));
    json.set("system", std::move(system));
    json.set("messages", messages_json(chat.messages));
    return json.dump();
  }
  std::unique_ptr<ReplyReader> reader() const override {
    return std::make_unique<AnthropicReader>();
  }
};

}  // namespace

std::unique_ptr<Protocol> make_anthropic_protocol() {
  return std::make_unique<AnthropicProtocol>();
}

}  // namespace forge
