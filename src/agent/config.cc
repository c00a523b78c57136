#include "agent/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/toml_quote.h"
#include "problem/toml_reader.h"
#include "problem/toml_tree.h"

namespace forge {
namespace {

constexpr std::string_view kBackends[] = {"anthropic", "builtin", "command",
                                          "inbox",     "openai",  "replay"};

std::vector<std::string> known_backends() { return {std::begin(kBackends), std::end(kBackends)}; }

// The name of an environment variable. What is none may well be the secret itself, so that it is
// not repeated.
bool is_variable(std::string_view text) {
  return !text.empty() && is_identifier(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

Error no_variable(const TomlReader& table, int line, std::string_view key) {
  return table.error(line, fmt::format("{} must name environment variables", table.describe(key)),
                     "put the key itself into local.env or the environment, and its name here");
}

Result<std::int64_t> bounded(const TomlReader& table, std::string_view key, std::int64_t fallback,
                             std::int64_t low, std::int64_t high) {
  FORGE_TRY(const auto value, table.integer_or(key, fallback));
  if (value >= low && value <= high) return value;
  return table.error(table.line_of(key),
                     fmt::format("{} is not from {} to {}", table.describe(key), low, high));
}

Result<double> price(const TomlReader& table, std::string_view key) {
  FORGE_TRY(const double value, table.number_or(key, 0));
  if (value >= 0 && value <= 1e6) return value;
  return table.error(table.line_of(key), fmt::format("{} is no price", table.describe(key)));
}

Result<std::string> server_url(const TomlReader& table, std::string_view fallback) {
  FORGE_TRY(std::string url, table.string_or("url", std::string(fallback)));
  while (url.ends_with('/')) url.pop_back();
  const auto begin = url.find("://");
  const std::string_view scheme = std::string_view(url).substr(0, begin);
  const bool is_web = begin != std::string::npos && (scheme == "http" || scheme == "https");
  const bool is_clean =
      printable(url) == url && url.find_first_of(" \t\n\"\\") == std::string::npos;
  if (!is_web || !is_clean || url.size() <= begin + 3) {
    return table.error(table.line_of("url"), fmt::format("{} is no address", table.describe("url")),
                       "write it like \"https://api.example.com/v1\"");
  }
  if (url.find('@') != std::string::npos || url.find('?') != std::string::npos) {
    return table.error(table.line_of("url"),
                       fmt::format("{} holds a user or a query", table.describe("url")),
                       "name the variable that holds the key with key = \"…\" instead");
  }
  return url;
}

Result<ServerSettings> parse_server(const TomlReader& table, std::string_view backend) {
  const bool is_anthropic = backend == "anthropic";
  ServerSettings server;
  FORGE_TRY(server.url, server_url(table, is_anthropic ? "https://api.anthropic.com"
                                                       : "https://api.openai.com/v1"));
  FORGE_TRY(server.key,
            table.string_or("key", is_anthropic ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"));
  if (!server.key.empty() && !is_variable(server.key)) {
    return no_variable(table, table.line_of("key"), "key");
  }
  FORGE_TRY(server.output_tokens,
            bounded(table, "output_tokens", server.output_tokens, 256, 1'000'000));
  FORGE_TRY(server.context_tokens,
            bounded(table, "context_tokens", server.context_tokens, 4'000, 10'000'000));
  FORGE_TRY(server.calls, bounded(table, "calls", server.calls, 1, 100'000));
  FORGE_TRY(server.retries, bounded(table, "retries", server.retries, 0, 100));
  FORGE_TRY(server.stall_seconds, bounded(table, "stall_seconds", server.stall_seconds, 1, 3600));
  FORGE_TRY(server.input_price, price(table, "input_price"));
  FORGE_TRY(server.output_price, price(table, "output_price"));
  FORGE_TRY(server.cached_price, price(table, "cached_price"));
  return server;
}

Result<std::vector<std::string>> texts(const TomlReader& table, std::string_view key,
                                       std::vector<std::string> fallback) {
  if (!table.has(key)) return fallback;
  FORGE_TRY(const auto located, table.strings(key));
  std::vector<std::string> values;
  for (const auto& each : located) values.push_back(each.value);
  return values;
}

// Below the home folder, whatever its text says.
bool stays_below(const std::string& path) {
  const Path normal = Path(path).lexically_normal();
  return !path.empty() && !normal.is_absolute() && *normal.begin() != ".." && normal != ".";
}

Result<PromptBy> prompt_by(const TomlReader& table, PromptBy fallback) {
  if (!table.has("prompt")) return fallback;
  FORGE_TRY(const auto text, table.string("prompt"));
  if (text.value == "stdin") return PromptBy::kStandardInput;
  if (text.value == "argument") return PromptBy::kArgument;
  if (text.value == "file") return PromptBy::kFile;
  return table.error(text.line, fmt::format("{} is unknown", table.describe("prompt")),
                     "known: stdin, argument, file");
}

Result<SandboxChoice> sandbox_choice(const TomlReader& table) {
  FORGE_TRY(const std::string text, table.string_or("sandbox", "best"));
  if (text == "best") return SandboxChoice::kBest;
  if (text == "bubblewrap") return SandboxChoice::kBubblewrap;
  if (text == "landlock") return SandboxChoice::kLandlock;
  return table.error(table.line_of("sandbox"),
                     fmt::format("{} is unknown", table.describe("sandbox")),
                     "known: best, bubblewrap, landlock");
}

std::string_view sandbox_name(SandboxChoice sandbox) {
  if (sandbox == SandboxChoice::kBest) return "best";
  return sandbox == SandboxChoice::kBubblewrap ? "bubblewrap" : "landlock";
}

Result<CommandSettings> parse_command(const TomlReader& table) {
  CommandSettings command;
  FORGE_TRY(const std::string preset, table.string_or("preset", ""));
  if (!preset.empty()) {
    const CommandSettings* found = command_preset(preset);
    if (found == nullptr) {
      return table.error(table.line_of("preset"), fmt::format("unknown preset '{}'", preset),
                         suggest(preset, command_presets()));
    }
    command = *found;
  }
  FORGE_TRY(command.command, texts(table, "command", command.command));
  if (command.command.empty() || command.command.front().empty()) {
    return table.error(table.line(), fmt::format("{} names no program", table.where()),
                       "add preset = \"…\" or command = [\"…\"]");
  }
  FORGE_TRY(command.prompt, prompt_by(table, command.prompt));
  FORGE_TRY(command.config, texts(table, "config", command.config));
  for (const std::string& path : command.config) {
    if (stays_below(path)) continue;
    return table.error(
        table.line_of("config"),
        fmt::format("{} must name paths below the home folder", table.describe("config")),
        "write them without a leading ~/, e.g. \".agent\"");
  }
  FORGE_TRY(command.readable, texts(table, "readable", command.readable));
  for (const std::string& path : command.readable) {
    if (Path(path).is_absolute() && Path(path).lexically_normal() != "/") continue;
    return table.error(table.line_of("readable"),
                       fmt::format("{} must hold absolute paths", table.describe("readable")),
                       "name the folder that the program is installed in");
  }
  FORGE_TRY(command.sandbox, sandbox_choice(table));
  FORGE_TRY(command.pass, texts(table, "pass", command.pass));
  for (const std::string& name : command.pass) {
    if (!is_variable(name)) return no_variable(table, table.line_of("pass"), "pass");
  }
  FORGE_TRY(command.output_mib, bounded(table, "output_mib", command.output_mib, 1, 1024));
  FORGE_TRY(command.network, table.boolean_or("network", command.network));
  return command;
}

Result<AgentSettings> parse_settings(const TomlReader& table) {
  AgentSettings agent;
  FORGE_TRY(const auto backend, table.string("backend"));
  agent.backend = backend.value;
  const auto known = known_backends();
  if (std::find(known.begin(), known.end(), agent.backend) == known.end()) {
    return table.error(backend.line, fmt::format("unknown backend '{}'", agent.backend),
                       suggest(agent.backend, known));
  }
  if (agent.backend == "builtin" || agent.backend == "inbox") {
    FORGE_TRY_STATUS(table.only_keys({"backend"}));
    return agent;
  }
  if (agent.backend == "replay") {
    FORGE_TRY_STATUS(table.only_keys({"backend", "run"}));
    FORGE_TRY(auto run, table.string("run"));
    agent.run = std::move(run.value);
    return agent;
  }
  FORGE_TRY(agent.minutes, bounded(table, "minutes", 60, 1, 100'000));
  if (agent.backend == "command") {
    FORGE_TRY_STATUS(
        table.only_keys({"backend", "model", "minutes", "preset", "command", "prompt", "config",
                         "readable", "sandbox", "pass", "output_mib", "network"}));
    FORGE_TRY(agent.model, table.string_or("model", ""));
    FORGE_TRY(agent.command, parse_command(table));
    const auto& words = agent.command.command;
    const bool needs_model = std::find(words.begin(), words.end(), "{model}") != words.end();
    if (agent.model.empty() && needs_model) {
      return table.error(table.line(), fmt::format("{} names no model", table.where()),
                         "add model = \"…\"");
    }
    return agent;
  }
  FORGE_TRY_STATUS(table.only_keys({"backend", "model", "minutes", "url", "key", "output_tokens",
                                    "context_tokens", "calls", "retries", "stall_seconds",
                                    "input_price", "output_price", "cached_price"}));
  FORGE_TRY(auto model, table.string("model"));
  agent.model = std::move(model.value);
  FORGE_TRY(agent.server, parse_server(table, agent.backend));
  return agent;
}

std::string list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(toml_quote(value));
  return fmt::format("[{}]", join(quoted, ", "));
}

std::string write_server(const ServerSettings& server) {
  // {:#} keeps the point of whole numbers.
  return fmt::format(
      "url = {}\nkey = {}\noutput_tokens = {}\ncontext_tokens = {}\ncalls = {}\nretries = {}\n"
      "stall_seconds = {}\n"
      "input_price = {:#}\noutput_price = {:#}\ncached_price = {:#}\n",
      toml_quote(server.url), toml_quote(server.key), server.output_tokens, server.context_tokens,
      server.calls, server.retries, server.stall_seconds, server.input_price, server.output_price,
      server.cached_price);
}

std::string_view prompt_name(PromptBy prompt) {
  switch (prompt) {
    case PromptBy::kStandardInput:
      return "stdin";
    case PromptBy::kArgument:
      return "argument";
    case PromptBy::kFile:
      break;
  }
  return "file";
}

// The preset is written out, so that a run says what it ran.
std::string write_command(const CommandSettings& command) {
  return fmt::format(
      "command = {}\nprompt = {}\nconfig = {}\nreadable = {}\nsandbox = {}\npass = {}\n"
      "output_mib = {}\nnetwork = {}\n",
      list(command.command), toml_quote(prompt_name(command.prompt)), list(command.config),
      list(command.readable), toml_quote(sandbox_name(command.sandbox)), list(command.pass),
      command.output_mib, command.network);
}

}  // namespace

AgentSettings AgentsConfig::of(Role role) const {
  const auto found = roles.find(role);
  return found == roles.end() ? AgentSettings{} : found->second;
}

Result<AgentsConfig> parse_agents(std::string_view text, const std::string& file) {
  FORGE_TRY(const TomlTable tree, parse_toml(text, file));
  const TomlReader root(tree, 1, file, "");
  FORGE_TRY_STATUS(root.only_keys({"teacher", "student", "judge_author", "reviewer"}));
  AgentsConfig config;
  for (const std::string& key : root.keys()) {
    FORGE_TRY(const auto table, root.table(key));
    FORGE_TRY(auto settings, parse_settings(*table));
    config.roles.emplace(*parse_role(key), std::move(settings));
  }
  return config;
}

std::string write_agents(const AgentsConfig& config) {
  std::string text;
  for (const auto& [role, agent] : config.roles) {
    if (!text.empty()) text += "\n";
    text += fmt::format("[{}]\nbackend = {}\n", role_name(role), toml_quote(agent.backend));
    if (!agent.model.empty()) text += fmt::format("model = {}\n", toml_quote(agent.model));
    if (agent.minutes > 0) text += fmt::format("minutes = {}\n", agent.minutes);
    if (agent.backend == "replay") text += fmt::format("run = {}\n", toml_quote(agent.run));
    if (agent.backend == "openai" || agent.backend == "anthropic") {
      text += write_server(agent.server);
    }
    if (agent.backend == "command") text += write_command(agent.command);
  }
  return text;
}

}  // namespace forge
