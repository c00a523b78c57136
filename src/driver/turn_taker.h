// Lets the agent take a turn and keeps the record of it under turns/. May know: agent, run.
#pragma once

#include "driver/context.h"

namespace forge {

struct TurnRequest {
  int number = 0;
  Role role = Role::kStudent;
  std::string prompt;
  Json brief;
  Path workspace;
  std::vector<Path> readable;
  std::vector<Path> denied;
};

struct TakenTurn {
  TurnOutcome outcome;
  TurnNote note;
};

// An error is the machinery's (a full disk, an interruption); what the agent did is the outcome.
Result<TakenTurn> take_turn(DriverContext& context, const RunPaths& paths,
                            const TurnRequest& request);

}  // namespace forge
