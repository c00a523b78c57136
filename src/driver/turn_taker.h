// Lets the agent take a turn and keeps the record of it under turns/. May know: agent, run.
#pragma once

#include <map>

#include "driver/context.h"
#include "driver/turn_view.h"

namespace forge {

struct TurnRequest {
  int number = 0;
  Role role = Role::kStudent;
  std::string prompt;
  Json brief;
  ViewPlan view;
  TurnLimits limits;
};

struct TakenTurn {
  TurnOutcome outcome;
  TurnNote note;
  // What a turn that is done left in its workspace: a student's kernel, a teacher's milestones.
  std::map<std::string, std::string> left;
};

// An error is the machinery's (a full disk, an interruption); what the agent did is the outcome.
Result<TakenTurn> take_turn(DriverContext& context, const RunPaths& paths,
                            const TurnRequest& request);

}  // namespace forge
