// agents.toml: which backend and model plays which role. May know: base, problem/toml_reader.h.
// Format: docs/formats/agents.md.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/backend.h"
#include "agent/sandbox.h"
#include "base/error.h"

namespace forge {

// A server that answers messages: openai, anthropic.
struct ServerSettings {
  std::string url;
  std::string key;  // name of the environment variable that holds it; empty: none is sent
  std::int64_t output_tokens = 8192;     // at most, of one answer
  std::int64_t context_tokens = 120000;  // older results of tools are dropped beyond
  std::int64_t calls = 200;              // of tools, in one turn
  std::int64_t retries = 6;              // of one request
  std::int64_t stall_seconds = 120;      // without a byte, and the request is sent again
  // Per million tokens, in whatever currency the budget's cost is.
  double input_price = 0;
  double output_price = 0;
  double cached_price = 0;  // of input that the server had in its cache
};

enum class PromptBy { kStandardInput, kArgument, kFile };

// A coding agent's command line.
struct CommandSettings {
  std::string preset;                // empty: none
  std::vector<std::string> command;  // "{prompt}" and "{model}" are replaced
  PromptBy prompt = PromptBy::kStandardInput;
  std::vector<std::string> config;    // its own files and folders, below the home folder
  std::vector<std::string> readable;  // what it needs besides the system's folders; absolute
  SandboxChoice sandbox = SandboxChoice::kBest;
  std::vector<std::string> pass;  // environment variables that it is given
  std::int64_t output_mib = 16;
  bool network = true;
};

struct AgentSettings {
  std::string backend = "builtin";
  std::string model;
  std::int64_t minutes = 0;  // a turn may take; 0: the backend's own limit
  std::string run;           // replay: the run whose turns are played back
  ServerSettings server;
  CommandSettings command;
};

struct AgentsConfig {
  std::map<Role, AgentSettings> roles;  // a role that is not there: builtin

  AgentSettings of(Role role) const;
};

// `file` names the text in messages. A value that may be a secret is never quoted.
Result<AgentsConfig> parse_agents(std::string_view text, const std::string& file);
// What is read back as the same.
std::string write_agents(const AgentsConfig& config);

// What the presets of `command` fill in; an unknown name is nothing.
std::vector<std::string> command_presets();
const CommandSettings* command_preset(std::string_view name);

}  // namespace forge
