#include "report/from_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "judge/admission.h"
#include "problem/load.h"
#include "report/from_result.h"
#include "run/journal.h"
#include "run/milestone.h"
#include "run/paths.h"
#include "run/state.h"

namespace forge {
namespace {

std::string state_text(const State& state) {
  if (!state.finished) return fmt::format("not finished, stage {}", stage_text(state.stage()));
  std::string text;
  switch (state.finished->ending) {
    case Ending::kGoalConfirmed:
      text = "goal reached and confirmed";
      break;
    case Ending::kBelowGoal:
      text = "stopped below the goal";
      break;
    case Ending::kUnconfirmed:
      text = "stopped with a best that was not confirmed";
      break;
    case Ending::kNoKernel:
      text = "stopped without a kernel";
      break;
  }
  return state.finished->why.empty() ? text : fmt::format("{} ({})", text, state.finished->why);
}

std::vector<ReportStage> stages(const State& state) {
  std::vector<ReportStage> out;
  const auto now = static_cast<int>(state.stage());
  for (int each = 0; each < static_cast<int>(Stage::kDone); ++each) {
    const std::string_view status = each < now ? "done" : each == now ? "now" : "to come";
    out.push_back({std::string(stage_text(static_cast<Stage>(each))), std::string(status)});
  }
  return out;
}

std::string rounds_text(int rounds) {
  return fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s");
}

std::string row_status(const MilestoneState& milestone, const State& state,
                       const std::string& row) {
  int rounds = 0;
  for (const Round& round : state.rounds) {
    rounds += round.started.milestone == milestone.outline.id && round.started.row == row;
  }
  const auto closed = milestone.closed_rows.find(row);
  if (closed != milestone.closed_rows.end()) {
    return fmt::format("closed after {}: {}", rounds_text(rounds), closed->second);
  }
  return rounds > 0 ? "open, " + rounds_text(rounds) : "open";
}

std::vector<ReportMilestone> milestones(const State& state) {
  std::vector<ReportMilestone> out;
  for (const MilestoneState& each : state.milestones) {
    ReportMilestone milestone{each.outline.id, "", each.closed ? "closed" : "open", {}, {}};
    for (const std::string& row : each.outline.rows) {
      milestone.rows.push_back({row, "", "", row_status(each, state, row)});
    }
    for (const GateEvaluated& gate : each.gates) {
      milestone.gates.push_back(fmt::format("{}: {}{}", gate.gate, gate_outcome_text(gate.outcome),
                                            gate.detail.empty() ? "" : ", " + gate.detail));
    }
    out.push_back(std::move(milestone));
  }
  return out;
}

std::string row_value(const Row& row) {
  return row.range.empty() ? row.value : join(row.range, ", ");
}

// Titles and decisions stand in the milestones' own files; the journal has only their outlines.
Status add_milestone_texts(FileReader& fs, const RunPaths& paths, int version,
                           std::vector<ReportMilestone>& milestones) {
  for (ReportMilestone& each : milestones) {
    const Path file = paths.milestone(version, each.id);
    FORGE_TRY(const std::string text, fs.read(file));
    FORGE_TRY(const Milestone milestone, parse_milestone(text, file.string()));
    each.title = milestone.title;
    for (ReportRow& reported : each.rows) {
      if (const Row* row = milestone.row(reported.id)) {
        reported.decision = row->decision;
        reported.value = row_value(*row);
      }
    }
  }
  return {};
}

std::string round_note(const RoundJudged& judged) {
  std::string note = judged.is_best                ? "new best"
                     : is_unusable(judged.verdict) ? "rolled back"
                                                   : "kept";
  if (judged.reused_from > 0)
    note += fmt::format(", same artefact as round {}", judged.reused_from);
  return note;
}

ReportRound round_of(const Round& round) {
  ReportRound out;
  out.number = round.started.round;
  out.row = round.started.row;
  out.tried = round.started.tried;
  if (!round.judged) {
    out.verdict = "being judged";
    return out;
  }
  out.verdict = verdict_text(round.judged->verdict);
  out.reason = round.judged->reason;
  out.note = round_note(*round.judged);
  if (round.judged->vs_reference) out.ratio = round.judged->vs_reference->ratio;
  return out;
}

ReportSweep sweep_of(const Sweep& sweep) {
  ReportSweep out;
  std::set<Settings> failed;
  for (const Observation& each : sweep.observations) {
    if (!each.failure.empty()) failed.insert(each.settings);
  }
  out.combinations = sweep.combinations();
  out.failed = static_cast<int>(failed.size());
  out.measurements = measurements_of(sweep.observations);
  if (!sweep.ended) return out;
  out.gain = sweep.ended->gain;
  out.why = sweep.ended->why;
  for (const TunablePrice& price : sweep.ended->prices) {
    out.prices.push_back(
        {price.tunable, value_of(sweep.ended->advised, price.tunable), price.loss});
  }
  return out;
}

std::string override_text(const ToleranceOverride& each) {
  std::string text = "output " + each.output;
  if (each.factor) text += fmt::format(", factor {} (instead of 2)", *each.factor);
  if (each.floor) text += fmt::format(", floor {} (instead of the type's)", *each.floor);
  return text;
}

Status add_problem(FileReader& fs, const RunPaths& paths, ReportModel& model) {
  FORGE_TRY(const Problem problem, load_problem(fs, paths.problem(), HiddenShapes::kLoad));
  model.goal_ratio = problem.goal_ratio;
  for (const ShapeSpec& shape : problem.hidden_shapes) model.hidden_shapes.insert(shape.name);
  model.oracle_author = problem.judge.author;
  model.not_executed = problem.not_yet_executable;
  for (const ToleranceOverride& each : problem.tolerance) {
    model.tolerance_overrides.push_back(override_text(each));
  }
  return {};
}

Status add_admission(const RunPaths& paths, const State& state, ReportModel& model) {
  if (!state.judge) return {};
  const JsonReader reader(state.judge->admission, paths.journal().string());
  FORGE_TRY(Admission admission, admission_from_json(reader));
  model.wrong_answers_tried = admission.tried;
  model.wrong_answers_caught = admission.caught;
  model.admission_notes = std::move(admission.notes);
  return {};
}

void add_state(const State& state, const Journal& journal, ReportModel& model) {
  if (!journal.entries.empty()) model.started = journal.entries.front().at;
  if (state.created) {
    model.problem = state.created->problem;
    model.target = state.created->target;
    model.version = state.created->tool;
    model.writer = state.created->model;
    model.boundary = state.created->boundary;
  }
  model.state = state_text(state);
  model.elapsed_s = state.elapsed_s;
  model.stages = stages(state);
  model.milestones = milestones(state);
  for (const Round& round : state.rounds) model.rounds.push_back(round_of(round));
  for (const Sweep& sweep : state.sweeps) model.sweeps.push_back(sweep_of(sweep));
  if (state.judge) {
    model.oracle = state.judge->oracle;
    model.oracle_author = state.judge->author;
  }
  if (const Round* best = state.best()) model.best_round = best->started.round;
  if (!state.baseline) return;
  model.noise_floor = state.baseline->noise_floor;
  model.machine_sd = state.baseline->machine_sd;
  model.opponents = {{state.baseline->opponent, state.baseline->description, true}};
}

Result<JobResult> read_job(FileReader& fs, const RunPaths& paths, int job) {
  const Path file = paths.job_result(job) / "result.json";
  FORGE_TRY(const std::string text, fs.read(file));
  FORGE_TRY(const Json json, parse_json(text, file.string()));
  return result_from_json(json, file.string());
}

// A confirmation that came to nothing may have left no result; the baseline always has one.
Status add_jobs(FileReader& fs, const RunPaths& paths, const State& state, ReportModel& model) {
  if (!state.baseline) return {};
  const Confirmed* confirmed = state.confirmation();
  const bool passed = confirmed != nullptr && confirmed->verdict == Verdict::kPassed;
  FORGE_TRY(const JobResult result,
            read_job(fs, paths, passed ? confirmed->job : state.baseline->job));
  add_result(result, opponent_to_beat(state), model);
  if (!passed) return {};
  model.goal_reached = confirmed->goal_met;
  FORGE_TRY(model.confirmation,
            confirmation_of(result, opponent_to_beat(state), model.hidden_shapes));
  return {};
}

Status add_best(FileReader& fs, const RunPaths& paths, ReportModel& model) {
  if (!fs.is_directory(paths.best())) return {};
  model.best_folder = paths.best().string();
  FORGE_TRY(model.best_files, fs.list(paths.best()));
  const Path build = paths.best() / "build.txt";
  if (!fs.exists(build)) return {};
  FORGE_TRY(const std::string text, fs.read(build));
  for (const std::string& line : split_lines(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    model.build_command = line;
    break;
  }
  return {};
}

}  // namespace

Result<ReportModel> read_report(FileReader& fs, const Path& run) {
  const RunPaths paths(run);
  FORGE_TRY(const Journal journal, read_journal(fs, paths.journal()));
  FORGE_TRY(const State state, fold(journal));
  ReportModel model;
  model.run = run.filename().string();
  model.directory = run.string();
  FORGE_TRY_STATUS(add_problem(fs, paths, model));
  add_state(state, journal, model);
  FORGE_TRY_STATUS(add_admission(paths, state, model));
  FORGE_TRY_STATUS(add_milestone_texts(fs, paths, state.version, model.milestones));
  FORGE_TRY_STATUS(add_jobs(fs, paths, state, model));
  FORGE_TRY_STATUS(add_best(fs, paths, model));
  return model;
}

}  // namespace forge
