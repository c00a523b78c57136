// The agents of a run, one backend a role, made from agents.toml. May know: base, sys, config.h.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "agent/backend.h"
#include "agent/config.h"
#include "sys/clock.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

// What backends are made of.
struct AgentWorld {
  Fs& fs;
  ProcessRunner& processes;
  Clock& clock;
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::function<bool()> interrupted;
  std::function<void(std::chrono::milliseconds)> pause;
};

class Agents {
 public:
  Backend& of(Role role);

 private:
  friend Result<Agents> make_agents(const AgentsConfig& config, const AgentWorld& world);
  std::map<Role, std::unique_ptr<Backend>> backends_;
};

// One of them.
Result<std::unique_ptr<Backend>> make_agent(Role role, const AgentSettings& settings,
                                            const AgentWorld& world);

// Tries out how programs can be confined here, if there is one to confine. An error names the role
// and what is missing: a key, a program.
Result<Agents> make_agents(const AgentsConfig& config, const AgentWorld& world);

// Knows the values of all variables that `config` names, and of the usual ones.
Redactor make_redactor(const AgentsConfig& config, const AgentWorld& world);

}  // namespace forge
