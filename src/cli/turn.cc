// forge turn: the inbox, where turns wait for a person or another program.
#include <fmt/format.h>

#include <algorithm>

#include "agent/inbox.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/subcommands.h"
#include "run/paths.h"
#include "teacher/brief.h"

namespace forge {
namespace {

struct WaitingTurn {
  Path run;
  int number = 0;
  OpenTurn turn;
};

// A run has at most one: the last that was begun.
Result<std::optional<WaitingTurn>> waiting_turn(FileReader& fs, const Path& run) {
  const Path folder = RunPaths(run).turns();
  if (!fs.is_directory(folder)) return std::optional<WaitingTurn>();
  FORGE_TRY(const auto names, fs.list(folder));
  int last = 0;
  for (const std::string& name : names) last = std::max(last, parse_numbered(name).value_or(0));
  if (last == 0) return std::optional<WaitingTurn>();
  FORGE_TRY(auto open, find_open_turn(fs, RunPaths(run).turn(last)));
  if (!open) return std::optional<WaitingTurn>();
  return std::optional<WaitingTurn>(WaitingTurn{run, last, std::move(*open)});
}

Result<std::vector<WaitingTurn>> waiting_turns(Context& context) {
  FORGE_TRY(const auto runs, find_runs(context.fs, context.artifacts));
  std::vector<WaitingTurn> turns;
  for (const Path& run : runs) {
    FORGE_TRY(auto turn, waiting_turn(context.fs, run));
    if (turn) turns.push_back(std::move(*turn));
  }
  return turns;
}

Error nothing_waits(const std::string& where) {
  return {ErrorKind::kNotFound, "cannot find a turn in", where, "none waits for an answer",
          "forge run makes one when a role's backend is inbox"};
}

Result<WaitingTurn> chosen_turn(const TurnOptions& options, Context& context) {
  if (!options.run.empty()) {
    FORGE_TRY(const Path run, find_run(context.fs, context.artifacts, options.run));
    FORGE_TRY(auto turn, waiting_turn(context.fs, run));
    if (!turn) return nothing_waits(run.string());
    return std::move(*turn);
  }
  FORGE_TRY(auto turns, waiting_turns(context));
  if (turns.empty()) return nothing_waits(context.artifacts.string());
  if (turns.size() == 1) return std::move(turns.front());
  std::vector<std::string> names;
  for (const auto& each : turns) names.push_back(each.run.filename().string());
  return Error{ErrorKind::kInvalidInput, "cannot choose", "a turn",
               fmt::format("{} runs wait: {}", turns.size(), clip(join(names, ", "), 200)),
               "name the run"};
}

std::string line_of(const WaitingTurn& waiting) {
  return fmt::format("{}  turn {}  {}  {}\n", waiting.run.filename().string(), waiting.number,
                     role_name(waiting.turn.role), waiting.turn.view.string());
}

Result<int> list(Context& context) {
  FORGE_TRY(const auto turns, waiting_turns(context));
  for (const auto& each : turns) context.out << line_of(each);
  if (turns.empty()) context.out << "no turn waits\n";
  return kExitOk;
}

Result<int> show(const WaitingTurn& waiting, Context& context) {
  FORGE_TRY(const std::string prompt, context.fs.read(waiting.turn.view / kPromptFile));
  const std::string run = waiting.run.filename().string();
  context.out << prompt
              << fmt::format(
                     "\n---\nThis is turn {} of {}. Its folder: {}\n"
                     "When it is done:              forge turn done {} --note \"…\"\n"
                     "If nothing is left to try:    forge turn pass {} --note \"…\"\n"
                     "If it can't be done:          forge turn fail {} --note \"…\"\n",
                     waiting.number, run, waiting.turn.view.string(), run, run, run);
  return kExitOk;
}

Error not_done(const WaitingTurn& waiting, std::string cause, std::string remedy) {
  return {ErrorKind::kInvalidInput, "cannot take",
          fmt::format("turn {} of {}", waiting.number, waiting.run.filename().string()),
          std::move(cause), std::move(remedy)};
}

// What the driver would refuse is refused here, where it can still be put right.
Status check_kernel(const WaitingTurn& waiting, Context& context) {
  const Path kernel = waiting.turn.workspace / kKernelFile;
  if (context.fs.look_at(kernel).kind != FileKind::kFile) {
    return not_done(waiting, fmt::format("{} is no file of its own", kernel.string()),
                    "put the kernel there; links are not followed");
  }
  FORGE_TRY(const std::string now, context.fs.read(kernel));
  FORGE_TRY(const std::string before, context.fs.read(RunPaths(waiting.run).tree_kernel()));
  if (now != before) return {};
  return not_done(waiting, fmt::format("{} is as it was", kernel.string()),
                  "change it, or say forge turn pass");
}

Status check_milestones(const WaitingTurn& waiting, Context& context) {
  const Path folder = waiting.turn.workspace;
  FORGE_TRY(const auto names, context.fs.list(folder));
  std::vector<MilestoneText> files;
  for (const std::string& name : names) {
    if (!name.ends_with(".toml")) continue;
    FORGE_TRY(std::string text, context.fs.read(folder / name));
    files.push_back({name, std::move(text)});
  }
  FORGE_TRY(const auto accepted, accept_milestones(files));
  return {};
}

Result<int> answer(const WaitingTurn& waiting, const TurnOptions& options, Context& context) {
  InboxAnswer answer{"done", options.note};
  if (options.action == TurnAction::kPass) answer.outcome = "passed";
  if (options.action == TurnAction::kFail) answer.outcome = "failed";
  if (options.action == TurnAction::kDone) {
    FORGE_TRY_STATUS(waiting.turn.role == Role::kStudent ? check_kernel(waiting, context)
                                                         : check_milestones(waiting, context));
  }
  if (answer.words.empty()) {
    answer.words = fmt::format("turn {}, {} without a note", waiting.number, answer.outcome);
  }
  FORGE_TRY_STATUS(answer_turn(context.fs, waiting.turn, answer));
  context.out << fmt::format("turn {} of {}: {}\n", waiting.number, waiting.run.filename().string(),
                             answer.outcome);
  return kExitOk;
}

}  // namespace

Result<int> run_turn(const TurnOptions& options, Context& context) {
  if (options.action == TurnAction::kList) return list(context);
  FORGE_TRY(const WaitingTurn waiting, chosen_turn(options, context));
  if (options.action == TurnAction::kShow) return show(waiting, context);
  return answer(waiting, options, context);
}

}  // namespace forge
