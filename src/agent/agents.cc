#include "agent/agents.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/builtin.h"
#include "agent/command.h"
#include "agent/inbox.h"
#include "agent/replay.h"
#include "agent/server.h"
#include "base/text.h"

namespace forge {
namespace {

constexpr Role kRoles[] = {Role::kTeacher, Role::kStudent, Role::kJudgeAuthor, Role::kReviewer};

Result<std::unique_ptr<Backend>> make_server(Role role, const AgentSettings& settings,
                                             const AgentWorld& world) {
  std::string key;
  if (const std::string& variable = settings.server.key; !variable.empty()) {
    key = world.environment(variable).value_or("");
    if (key.empty() || printable(key) != key || key.find('\n') != std::string::npos) {
      return Error{ErrorKind::kEnvironment, "cannot make",
                   fmt::format("the {}'s backend {}", role_name(role), settings.backend),
                   fmt::format("{} is not set to a key", variable),
                   "set it in the environment or in local.env"};
    }
  }
  FORGE_TRY(auto http, make_real_http_client());
  auto protocol =
      settings.backend == "anthropic" ? make_anthropic_protocol() : make_openai_protocol();
  return make_server_backend(
      settings, std::move(key), std::move(protocol),
      {world.fs, world.processes, world.clock, std::move(http), world.interrupted, world.pause});
}

}  // namespace

Result<std::unique_ptr<Backend>> make_agent(Role role, const AgentSettings& settings,
                                            const AgentWorld& world) {
  if (settings.backend == "builtin") return make_builtin_backend(world.fs);
  if (settings.backend == "inbox") {
    return make_inbox_backend(world.fs, {world.interrupted, world.pause});
  }
  if (settings.backend == "replay") return make_replay_backend(world.fs, settings.run);
  if (settings.backend == "command") {
    return make_command_backend(settings, {world.fs, world.processes, world.environment});
  }
  return make_server(role, settings, world);
}

Backend& Agents::of(Role role) {
  const auto found = backends_.find(role);
  FORGE_CHECK(found != backends_.end());
  return *found->second;
}

Result<Agents> make_agents(const AgentsConfig& config, const AgentWorld& world) {
  Agents agents;
  for (const Role role : kRoles) {
    FORGE_TRY(auto backend, make_agent(role, config.of(role), world));
    agents.backends_.emplace(role, std::move(backend));
  }
  return agents;
}

Redactor make_redactor(const AgentsConfig& config, const AgentWorld& world) {
  std::vector<std::string> names = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"};
  for (const auto& [role, agent] : config.roles) {
    if (!agent.server.key.empty()) names.push_back(agent.server.key);
    names.insert(names.end(), agent.command.pass.begin(), agent.command.pass.end());
  }
  std::vector<std::string> secrets;
  for (const std::string& name : names) {
    // An address is no secret, and taking it out would hide which server was asked.
    if (name.ends_with("_URL")) continue;
    if (auto value = world.environment(name)) secrets.push_back(std::move(*value));
  }
  return Redactor(std::move(secrets));
}

}  // namespace forge
