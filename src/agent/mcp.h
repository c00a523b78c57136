// The tools of a turn as a server of the Model Context Protocol over standard input and output: one
// JSON-RPC message a line. May know: base, tools.h. https://modelcontextprotocol.io
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agent/tools.h"

namespace forge {

class McpServer {
 public:
  // `version`: of forge, as it introduces itself.
  McpServer(Toolbox& tools, std::string version) : tools_(tools), version_(std::move(version)) {}

  // The line to answer `line` with; nothing where none is expected. An error is the machinery's.
  Result<std::optional<std::string>> answer(std::string_view line);

 private:
  Result<Json> result_of(const std::string& method, const JsonReader& parameters);
  Result<Json> call_tool(const JsonReader& parameters);
  Json introduction(const JsonReader& parameters) const;

  Toolbox& tools_;
  std::string version_;
};

}  // namespace forge
