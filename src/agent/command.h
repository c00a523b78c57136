// A coding agent's command line as a backend: started in a sandbox that holds the turn's view, its
// output streamed to the transcript, ended whole when it takes too long or prints too much. May
// know: base, sys, sandbox.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/backend.h"
#include "agent/config.h"
#include "sys/process.h"

namespace forge {

struct CommandWorld {
  Fs& fs;
  ProcessRunner& processes;
  std::function<std::optional<std::string>(const std::string& name)> environment;
};
// Tries which sandbox works here.
Result<std::unique_ptr<Backend>> make_command_backend(const AgentSettings& settings,
                                                      CommandWorld world);

// What a line that an agent printed says about tokens and cost; zeros if it says nothing. Several
// agents print JSON lines, each with a sum or a part in it.
TurnUsage usage_in_line(std::string_view line);

}  // namespace forge
