// Chat completions, as OpenAI and most other servers speak them.
#include <algorithm>

#include "agent/reply_parts.h"

namespace forge {
namespace {

Json text_message(std::string_view role, const std::string& text) {
  Json json = Json::object();
  json.set("role", role);
  json.set("content", text);
  return json;
}

Json model_message(const ModelSaid& said) {
  Json json = Json::object();
  json.set("role", "assistant");
  json.set("content", said.text.empty() ? Json() : Json(said.text));
  if (said.calls.empty()) return json;
  Json calls = Json::array();
  for (const ToolCall& call : said.calls) {
    Json function = Json::object();
    function.set("name", call.tool);
    function.set("arguments", call.arguments);
    Json entry = Json::object();
    entry.set("id", call.id);
    entry.set("type", "function");
    entry.set("function", std::move(function));
    calls.push_back(std::move(entry));
  }
  json.set("tool_calls", std::move(calls));
  return json;
}

Json message_json(const ChatMessage& message) {
  if (const auto* user = std::get_if<UserSaid>(&message)) return text_message("user", user->text);
  if (const auto* model = std::get_if<ModelSaid>(&message)) return model_message(*model);
  const auto& tool = std::get<ToolSaid>(message);
  Json json = text_message("tool", tool.text);
  json.set("tool_call_id", tool.id);
  return json;
}

Json tools_json(const std::vector<ToolDefinition>& tools) {
  Json list = Json::array();
  for (const ToolDefinition& tool : tools) {
    Json function = Json::object();
    function.set("name", tool.name);
    function.set("description", tool.description);
    function.set("parameters", tool.schema);
    Json entry = Json::object();
    entry.set("type", "function");
    entry.set("function", std::move(function));
    list.push_back(std::move(entry));
  }
  return list;
}

class OpenAiReader final : public ReplyReader {
 public:
  Status event(std::string_view data) override {
    if (data == "[DONE]") {
      is_over_ = true;
      return {};
    }
    FORGE_TRY(const Json json, parse_json(data, "the server's answer"));
    if (const Json* error = json.find("error"); error != nullptr && !error->is_null()) {
      return server_says(error, error->dump());
    }
    if (const Json* usage = json.find("usage")) take_usage(*usage);
    const Json* choices = json.find("choices");
    if (choices == nullptr || choices->as_array() == nullptr) return {};
    for (const Json& choice : *choices->as_array()) FORGE_TRY_STATUS(take_choice(choice));
    return {};
  }

  std::optional<Reply> finish() override {
    // Some servers leave [DONE] out; none leaves the reason out.
    if (!is_over_ && !has_reason_) return std::nullopt;
    return parts_.take();
  }

 private:
  void take_usage(const Json& usage) {
    const Json* details = usage.find("prompt_tokens_details");
    const auto all = count_at(usage, "prompt_tokens");
    if (all == 0) return;
    parts_.reply.tokens.cached =
        details == nullptr ? 0 : std::min(all, count_at(*details, "cached_tokens"));
    parts_.reply.tokens.input = all - parts_.reply.tokens.cached;
    parts_.reply.tokens.output = count_at(usage, "completion_tokens");
  }

  Status take_choice(const Json& choice) {
    if (const std::string* reason = string_at(choice, "finish_reason")) {
      has_reason_ = true;
      if (*reason == "length") parts_.reply.end = ReplyEnd::kLength;
      if (*reason == "content_filter") parts_.reply.end = ReplyEnd::kRefused;
    }
    const Json* delta = choice.find("delta");
    if (delta == nullptr) return {};
    if (const std::string* text = string_at(*delta, "content"))
      FORGE_TRY_STATUS(parts_.add(parts_.reply.text, *text));
    const Json* calls = delta->find("tool_calls");
    if (calls == nullptr || calls->as_array() == nullptr) return {};
    for (const Json& part : *calls->as_array()) FORGE_TRY_STATUS(take_call(part));
    return {};
  }

  // A call comes in parts with the same index; the first has its name. Servers that number nothing
  // send whole calls: a new id is a new call.
  Status take_call(const Json& part) {
    std::int64_t index = 0;
    const Json* number = part.find("index");
    const std::string* id = string_at(part, "id");
    const auto& calls = parts_.calls();
    if (number == nullptr || !number->as_int(index)) {
      const bool is_new = calls.empty() || (id != nullptr && calls.rbegin()->second.id != *id);
      index = calls.empty() ? 0 : calls.rbegin()->first + (is_new ? 1 : 0);
    }
    FORGE_TRY(ToolCall * call, parts_.call(index));
    if (id != nullptr && call->id.empty()) call->id = *id;
    const Json* function = part.find("function");
    if (function == nullptr) return {};
    if (const std::string* name = string_at(*function, "name")) {
      if (call->tool.empty()) FORGE_TRY_STATUS(parts_.add(call->tool, *name));
    }
    if (const std::string* text = string_at(*function, "arguments")) {
      FORGE_TRY_STATUS(parts_.add(call->arguments, *text));
    }
    return {};
  }

  ReplyParts parts_;
  bool is_over_ = false;
  bool has_reason_ = false;
};

class OpenAiProtocol final : public Protocol {
 public:
  std::string url(const ServerSettings& server) const override {
    return server.url + "/chat/completions";
  }
  std::vector<std::string> headers(const std::string& key) const override {
    std::vector<std::string> headers = {"Content-Type: application/json",
                                        "Accept: text/event-stream", "Expect:"};
    if (!key.empty()) headers.push_back("Authorization: Bearer " + key);
    return headers;
  }
  // Prefixes that repeat are cached by the server without being asked.
  std::string body(const Chat& chat, const ServerSettings& server) const override {
    Json messages = Json::array();
    messages.push_back(text_message("system", chat.system));
    for (const ChatMessage& message : chat.messages) messages.push_back(message_json(message));
    Json options = Json::object();
    options.set("include_usage", true);
    Json json = Json::object();
    json.set("model", chat.model);
    // The first of these servers gave the limit another name, which most others do not know.
    const bool is_first = server.url.starts_with("https://api.openai.com/");
    json.set(is_first ? "max_completion_tokens" : "max_tokens", chat.output_tokens);
    json.set("stream", true);
    json.set("stream_options", std::move(options));
    if (!chat.tools.empty()) json.set("tools", tools_json(chat.tools));
    json.set("messages", std::move(messages));
    return json.dump();
  }
  std::unique_ptr<ReplyReader> reader() const override { return std::make_unique<OpenAiReader>(); }
};

}  // namespace

std::unique_ptr<Protocol> make_openai_protocol() { return std::make_unique<OpenAiProtocol>(); }

}  // namespace forge
