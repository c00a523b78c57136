// What every subcommand is given: streams, effects, the agent and the way to the hardware. May
// know: sys, agent/agents.h, delivery/delivery.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "agent/agents.h"
#include "delivery/delivery.h"
#include "sys/clock.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

enum class Terminal { kPlain, kLive };  // kLive: one status line that is overwritten

struct Context {
  std::ostream& out;
  std::ostream& err;
  Terminal terminal = Terminal::kPlain;      // what `out` is
  Terminal err_terminal = Terminal::kPlain;  // what `err` is
  std::function<int()> columns;              // of the terminal, as wide as it is now
  std::function<int()> rows;                 // and as high
  Fs& fs;
  ProcessRunner& processes;
  Clock& clock;
  Entropy& entropy;
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::function<bool()> interrupted;
  // May return early when a signal arrives.
  std::function<void(std::chrono::milliseconds)> pause;
  // See sys/lock_owner.h and sys/disk_use.h.
  std::function<std::optional<int>(const Path&)> lock_owner;
  std::function<std::uint64_t(const Path&)> disk_use;
  // An error says that the worker is missing and how to get it.
  std::function<Result<std::unique_ptr<Delivery>>()> make_delivery;
  // What agents are made of; `environment` of it also knows what stands in local.env.
  std::function<AgentWorld()> agent_world;
  Path artifacts;  // where runs lie: .artifacts
};

}  // namespace forge
