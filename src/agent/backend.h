// Who does a turn: a model, a program, a person, or the builtin search. May know: base, sys.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "sys/fs.h"

namespace forge {

enum class Role { kTeacher, kStudent, kJudgeAuthor, kReviewer };
std::string_view role_name(Role role);

struct TurnLimits {
  std::chrono::seconds wall{0};  // 0: none
  std::int64_t tokens = 0;       // 0: none
};

struct Turn {
  int number = 0;
  Role role = Role::kStudent;
  std::string prompt;
  // The same turn as data: what a program that can't read prose works from. Format:
  // docs/formats/turn.md.
  Json brief;
  Path workspace;  // the only place that the turn may write
  std::vector<Path> readable;
  // What it must not read even if it could; never above or below `readable` and `workspace`.
  std::vector<Path> denied;
  TurnLimits limits;
};

struct TurnUsage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  double cost = 0;
  double seconds = 0;
};

struct TurnDone {
  std::string note;
  TurnUsage usage;
};
// The agent has nothing more to try for this row.
struct TurnPassed {
  std::string reason;
  TurnUsage usage;
};
struct TurnFailed {
  std::string reason;
  TurnUsage usage;
};
using TurnOutcome = std::variant<TurnDone, TurnPassed, TurnFailed>;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // "builtin", "claude-…": what reports call the model.
  virtual std::string model() const = 0;
  virtual Result<TurnOutcome> take_turn(const Turn& turn) = 0;
};

}  // namespace forge
