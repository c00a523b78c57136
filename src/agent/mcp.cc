#include "agent/mcp.h"

#include <fmt/format.h>

#include "base/text.h"

namespace forge {
namespace {

// JSON-RPC 2.0's own numbers.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParameters = -32602;
constexpr std::size_t kMaxLineBytes = 8 << 20;
constexpr const char* kProtocolVersion = "2025-06-18";

// A mistake of the caller's.
int code_of(const Error& error) {
  return error.kind == ErrorKind::kNotFound ? kMethodNotFound : kInvalidParameters;
}

Json message(Json id) {
  Json json = Json::object();
  json.set("jsonrpc", "2.0");
  json.set("id", std::move(id));
  return json;
}

std::string error_line(Json id, int code, std::string_view text) {
  Json error = Json::object();
  error.set("code", code);
  error.set("message", text);
  Json json = message(std::move(id));
  json.set("error", std::move(error));
  return json.dump();
}

Json tool_json(const ToolDefinition& tool) {
  Json json = Json::object();
  json.set("name", tool.name);
  json.set("description", tool.description);
  json.set("inputSchema", tool.schema);
  return json;
}

bool is_id(const Json& id) {
  std::int64_t number = 0;
  return id.as_string() != nullptr || id.as_int(number);
}

}  // namespace

Json McpServer::introduction(const JsonReader& parameters) const {
  const auto asked = parameters.string("protocolVersion");
  Json capabilities = Json::object();
  capabilities.set("tools", Json::object());
  Json server = Json::object();
  server.set("name", "forge");
  server.set("version", version_);
  Json json = Json::object();
  // What these tools need is the same in all versions so far.
  json.set("protocolVersion", asked ? *asked : kProtocolVersion);
  json.set("capabilities", std::move(capabilities));
  json.set("serverInfo", std::move(server));
  return json;
}

Result<Json> McpServer::call_tool(const JsonReader& parameters) {
  FORGE_TRY(const std::string name, parameters.string("name"));
  const Json none = Json::object();
  const Json* arguments = parameters.json().find("arguments");
  FORGE_TRY(const ToolAnswer answer, tools_.call(name, arguments != nullptr ? *arguments : none));
  Json text = Json::object();
  text.set("type", "text");
  text.set("text", printable(answer.text));
  Json content = Json::array();
  content.push_back(std::move(text));
  Json json = Json::object();
  json.set("content", std::move(content));
  json.set("isError", answer.end == ToolEnd::kRefused);
  return json;
}

Result<Json> McpServer::result_of(const std::string& method, const JsonReader& parameters) {
  if (method == "initialize") return introduction(parameters);
  if (method == "ping") return Json::object();
  if (method == "tools/call") return call_tool(parameters);
  if (method == "tools/list") {
    Json list = Json::array();
    for (const ToolDefinition& tool : tools_.definitions()) list.push_back(tool_json(tool));
    Json json = Json::object();
    json.set("tools", std::move(list));
    return json;
  }
  return Error{ErrorKind::kNotFound, "cannot answer", clip(printable(method), 100),
               "there is no such method", ""};
}

Result<std::optional<std::string>> McpServer::answer(std::string_view line) {
  using Answer = std::optional<std::string>;
  if (trim(line).empty()) return Answer();
  if (line.size() > kMaxLineBytes) {
    return Answer(error_line(Json(), kInvalidRequest, "the message is longer than 8 MiB"));
  }
  const auto request = parse_json(line, "the message");
  if (!request) return Answer(error_line(Json(), kParseError, request.error().message()));
  const Json* id = request->find("id");
  const Json* method = request->find("method");
  const bool has_method = method != nullptr && method->as_string() != nullptr;
  // An answer to something that was never asked, or a notification: nobody waits.
  if (id == nullptr && has_method) return Answer();
  if (id == nullptr || !is_id(*id) || !has_method) {
    return Answer(error_line(Json(), kInvalidRequest, "it is no request"));
  }
  const Json none = Json::object();
  const Json* parameters = request->find("params");
  const JsonReader reader(parameters != nullptr ? *parameters : none, "params");
  auto result = result_of(*method->as_string(), reader);
  if (!result) {
    const auto kind = result.error().kind;
    if (kind != ErrorKind::kInvalidInput && kind != ErrorKind::kNotFound) return result.error();
    return Answer(error_line(*id, code_of(result.error()), result.error().message()));
  }
  Json json = message(*id);
  json.set("result", std::move(*result));
  return Answer(json.dump());
}

}  // namespace forge
