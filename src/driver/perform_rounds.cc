// The two loops: turns, rounds, rollback, gates.
#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "driver/performer.h"
#include "driver/search_space.h"
#include "driver/turn_taker.h"
#include "student/brief.h"
#include "student/verdict.h"
#include "teacher/brief.h"
#include "teacher/gates.h"

namespace forge {
namespace {

Event failed_turn(Role role, std::string row, TurnNote note) {
  return TurnFailedEvent{std::string(role_name(role)), std::move(row), std::move(note)};
}

std::vector<MilestoneText> written_milestones(const TakenTurn& taken) {
  std::vector<MilestoneText> files;
  for (const auto& [name, text] : taken.left) files.push_back({name, text});
  return files;
}

const std::string& text_of(const std::vector<MilestoneText>& files, const std::string& id) {
  for (const auto& file : files) {
    if (file.file == id + ".toml") return file.toml;
  }
  invariant_failed(__FILE__, __LINE__, "an accepted milestone has a file");
}

// At least one token: 0 means that there is no limit.
TurnLimits limits_left(const State& state, const ProblemFacts& facts) {
  TurnLimits limits;
  if (facts.tokens == 0) return limits;
  const auto used = state.usage.input_tokens + state.usage.output_tokens;
  limits.tokens = std::max<std::int64_t>(facts.tokens - used, 1);
  return limits;
}

}  // namespace

Result<Milestone> Performer::read_milestone(std::string_view id) {
  const auto file = paths_.milestone(state_.version, id);
  FORGE_TRY(const auto text, context_.fs.read(file));
  const auto* milestone = state_.milestone(id);
  if (milestone == nullptr || digest_of(text).hex != milestone->outline.digest) {
    return Error{ErrorKind::kCorrupt, "cannot use", file.string(),
                 "it is not what the teacher wrote", "restore the file from a copy"};
  }
  return parse_milestone(text, file.string());
}

Result<Event> Performer::operator()(const TakeTeacherTurn& action) {
  FORGE_TRY(const auto kernel, tree_kernel());
  std::vector<FrozenMilestone> frozen;
  for (const auto& milestone : state_.milestones) {
    if (!milestone.closed) break;
    const auto& id = milestone.outline.id;
    FORGE_TRY(auto text, context_.fs.read(paths_.milestone(state_.version, id)));
    frozen.push_back({id, std::move(text)});
  }
  TurnRequest request;
  request.number = action.turn;
  request.role = Role::kTeacher;
  const auto sight =
      teacher_sees_reference(problem_) ? ReferenceSight::kShown : ReferenceSight::kHidden;
  request.prompt = teacher_prompt(state_, facts_, action.version, frozen, sight);
  request.brief = teacher_brief(state_, facts_, action.version, frozen,
                                search_space(state_, tunables_of(kernel)));
  request.limits = limits_left(state_, facts_);
  request.view = teacher_view(problem_, paths_, state_, kernel);
  FORGE_TRY(auto taken, take_turn(context_, paths_, request));
  if (std::holds_alternative<TurnDone>(taken.outcome)) return milestones_event(action, taken);
  if (std::holds_alternative<TurnFailed>(taken.outcome)) {
    return failed_turn(Role::kTeacher, "", std::move(taken.note));
  }
  // Nothing to decide at first still leaves the start kernel to measure.
  if (action.version == 1) return Event(MilestonesWritten{1, {}, std::move(taken.note)});
  auto why = taken.note.note;
  return Event(ForgeEnded{ForgeEnd::kNothingLeft, std::move(why), std::move(taken.note)});
}

Result<Event> Performer::milestones_event(const TakeTeacherTurn& action, const TakenTurn& taken) {
  auto& fs = context_.fs;
  TurnNote note = taken.note;
  const auto files = written_milestones(taken);
  const auto milestones = accept_milestones(files);
  if (!milestones) {
    note.note = milestones.error().message();
    return failed_turn(Role::kTeacher, "", std::move(note));
  }
  const auto folder = paths_.milestones(action.version);
  FORGE_TRY_STATUS(fs.remove_all(folder));
  FORGE_TRY_STATUS(fs.make_directories(folder));
  MilestonesWritten event{action.version, {}, std::move(note)};
  for (const auto& milestone : *milestones) {
    const auto& text = text_of(files, milestone.id);
    FORGE_TRY_STATUS(fs.write_atomic(paths_.milestone(action.version, milestone.id), text));
    event.milestones.push_back(outline(milestone, text));
  }
  return Event(std::move(event));
}

RoundStarted Performer::round_with(const std::string& kernel, int round, int job) const {
  RoundStarted event;
  event.round = round;
  event.job = job;
  event.source = digest_of(kernel).hex;
  event.space = space_of(kernel);
  event.settings = settings_of(tunables_of(kernel));
  return event;
}

Result<Event> Performer::operator()(const OpenStartRound& action) {
  FORGE_TRY(const auto kernel, tree_kernel());
  RoundStarted event = round_with(kernel, action.round, action.job);
  event.row = kStartRow;
  event.commit = state_.head;
  event.tried = "the start kernel as it came";
  return Event(std::move(event));
}

Result<Event> Performer::operator()(const TakeStudentTurn& action) {
  FORGE_TRY(const auto milestone, read_milestone(action.milestone));
  const auto* row = milestone.row(action.row);
  FORGE_CHECK(row != nullptr);
  FORGE_TRY(const auto kernel, tree_kernel());
  TurnRequest request;
  request.number = action.turn;
  request.role = Role::kStudent;
  request.prompt = student_prompt(state_, facts_, milestone, *row);
  request.brief = student_brief(state_, milestone, *row, action.round,
                                search_space(state_, tunables_of(kernel)));
  request.brief.set("build", build_facts(problem_));
  request.limits = limits_left(state_, facts_);
  request.view = student_view(problem_, paths_, state_, kernel);
  FORGE_TRY(auto taken, take_turn(context_, paths_, request));
  if (std::holds_alternative<TurnDone>(taken.outcome)) return round_event(action, kernel, taken);
  if (std::holds_alternative<TurnFailed>(taken.outcome)) {
    return failed_turn(Role::kStudent, action.row, std::move(taken.note));
  }
  auto why = taken.note.note;
  return Event(RowClosed{action.milestone, action.row, std::move(why), std::move(taken.note)});
}

Result<Event> Performer::round_event(const TakeStudentTurn& action, const std::string& before,
                                     const TakenTurn& taken) {
  TurnNote note = taken.note;
  const auto left = taken.left.find(std::string(kKernelFile));
  if (left == taken.left.end() || left->second == before) {
    const bool is_gone = left == taken.left.end();
    note.note = is_gone ? "the turn removed the kernel" : "the turn changed nothing";
    return failed_turn(Role::kStudent, action.row, std::move(note));
  }
  const std::string& kernel = left->second;
  FORGE_TRY_STATUS(context_.fs.write_atomic(paths_.tree_kernel(), kernel));
  RoundStarted event = round_with(kernel, action.round, action.job);
  event.milestone = action.milestone;
  event.row = action.row;
  event.parent = state_.head;
  FORGE_TRY(event.commit,
            tree_.commit(fmt::format("round {}: {}, {}", action.round, action.row, note.note)));
  event.tried = note.note;
  event.turn = std::move(note);
  return Event(std::move(event));
}

Result<Event> Performer::operator()(const RunRoundJob& action) {
  const auto& round = state_.round(action.round)->started;
  if (auto reused = reused_verdict(state_, round)) return Event(std::move(*reused));
  FORGE_TRY(const auto kernel, tree_kernel());
  if (digest_of(kernel).hex != round.source) {
    return Error{ErrorKind::kCorrupt, "cannot judge", paths_.tree_kernel().string(),
                 fmt::format("it is not what round {} submitted", round.round),
                 "leave tree/ alone while a run is going; forge run restores it"};
  }
  FORGE_TRY(const auto shared, basis());
  const auto seeds = round_seeds(secrets_, state_.created->seed, round.job);
  FORGE_TRY(auto outcome, jobs_.run(round_job(shared, round, seeds)));
  if (const auto* error = std::get_if<Error>(&outcome)) {
    return Event(no_verdict(round, error->message()));
  }
  return Event(judge_round(state_, round, std::get<JobResult>(outcome)));
}

Result<Event> Performer::operator()(const RollBack& action) {
  const auto& round = state_.round(action.round)->started;
  FORGE_TRY_STATUS(tree_.keep(fmt::format("round-{}", numbered(round.round)), round.commit));
  FORGE_TRY_STATUS(tree_.reset_to(round.parent));
  return Event(RolledBack{action.round, round.parent});
}

Result<Event> Performer::operator()(const EvaluateGate& action) {
  FORGE_TRY(const auto gate, parse_gate(action.gate, action.milestone));
  return Event(evaluate_gate(state_, action.milestone, gate));
}

}  // namespace forge
