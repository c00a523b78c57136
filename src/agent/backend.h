// Who does a turn: a model, a program, a person, or the builtin search. May know: base, sys.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agent/transcript.h"
#include "base/error.h"
#include "base/json.h"
#include "sys/fs.h"

namespace forge {

enum class Role { kTeacher, kStudent, kJudgeAuthor, kReviewer };
std::string_view role_name(Role role);
std::optional<Role> parse_role(std::string_view name);

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
  // Holds all that the role may see and nothing else, copied: no way leads from here to the run.
  Path view;
  Path workspace;  // below `view`; the only place that the turn may write
  Path record;     // where a backend may keep what it needs to go on after an interruption
  // What no program of the role may read, whatever else it is given; nothing of it is in the view.
  std::vector<Path> denied;
  TurnLimits limits;
  Transcript* transcript = nullptr;                   // requires one, if the backend records
  std::function<void(std::string_view text)> notice;  // something that a person should read, once
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

std::string_view outcome_name(const TurnOutcome& outcome);  // "done", "passed", "failed"
const std::string& words_of(const TurnOutcome& outcome);
const TurnUsage& usage_of(const TurnOutcome& outcome);
// The outcome of that name; nothing if there is none.
std::optional<TurnOutcome> make_outcome(std::string_view name, std::string words, TurnUsage usage);

// What has to lie in a turn's view.
enum class Sight {
  kView,       // all that the role may see
  kWorkspace,  // the backend reads the brief and its workspace, and nothing else
};
// What becomes of a turn's folder when its driver was interrupted and the same turn is taken again.
enum class Leftovers { kDiscard, kKeep };

// Nothing but the agent's good will keeps it inside its view.
inline constexpr std::string_view kAdvisory = "advisory";

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // "builtin", "claude-…": what reports call the model.
  virtual std::string model() const = 0;
  virtual Sight sight() const { return Sight::kView; }
  virtual Leftovers leftovers() const { return Leftovers::kDiscard; }
  // How the agent is kept inside its view: "enforced: …", "none needed: …", or "advisory".
  virtual std::string boundary() const { return std::string(kAdvisory); }
  // Whether a turn could be taken, by the cheapest call that shows it; in words.
  virtual Result<std::string> check() { return std::string("ready"); }
  virtual Result<TurnOutcome> take_turn(const Turn& turn) = 0;
};

}  // namespace forge
