#include "driver/driver.h"

#include <fmt/format.h>

#include "driver/best.h"
#include "driver/create_run.h"
#include "driver/performer.h"
#include "problem/load.h"
#include "sys/unfinished.h"

namespace forge {
namespace {

// What is going on while an action is performed, in words.
struct Describe {
  const State& state;

  std::string operator()(const PrepareTree&) const { return "setting up the operator tree"; }
  std::string operator()(const AlignJudge&) const { return "aligning oracle and reference"; }
  std::string operator()(const MeasureBaseline&) const { return "timing the reference"; }
  std::string operator()(const ScoutReference&) const { return "looking at the reference"; }
  std::string operator()(const TakeTeacherTurn&) const { return "the teacher writes milestones"; }
  std::string operator()(const OpenStartRound&) const { return "taking the start kernel"; }
  std::string operator()(const SweepTunables&) const {
    const auto* sweep = state.sweep(state.best()->started.space);
    return fmt::format("sweeping the values of round {}'s kernel, {} tried",
                       state.best()->started.round, sweep == nullptr ? 0 : sweep->combinations());
  }
  std::string operator()(const OpenSweepRound&) const { return "taking what the sweep advises"; }
  std::string operator()(const TakeStudentTurn& turn) const {
    return fmt::format("round {}, {}: the student's turn", turn.round, turn.row);
  }
  std::string operator()(const RunRoundJob& job) const {
    const auto& round = state.round(job.round)->started;
    return fmt::format("round {}, {}: {}", job.round, round.row, round.tried);
  }
  std::string operator()(const RollBack& back) const {
    return fmt::format("rolling round {} back", back.round);
  }
  std::string operator()(const EvaluateGate& gate) const {
    return fmt::format("gate of {}: {}", gate.milestone, gate.gate);
  }
  std::string operator()(const ConfirmBest& confirm) const {
    return fmt::format("measuring round {} again on fresh seeds", confirm.round);
  }
  std::string operator()(const Record&) const { return "writing down what follows"; }
  std::string operator()(const Stop&) const { return "writing the report"; }
};

// Everything that a run has on disk, read and checked once.
struct OpenRun {
  std::unique_ptr<FileLock> lock;
  Problem problem;
  Secrets secrets;
  State state;
  JournalWriter writer;
};

Result<OpenRun> open_run(const RunPaths& paths, DriverContext& context) {
  auto& fs = context.fs;
  if (!fs.exists(paths.journal())) {
    return Error{ErrorKind::kNotFound, "cannot run", paths.root().string(), "it is no run",
                 "forge new TASK makes one, forge status lists them"};
  }
  FORGE_TRY(auto lock, fs.try_lock(paths.lock(), context.holder));
  FORGE_TRY(const auto journal, read_journal(fs, paths.journal()));
  if (!journal.notice.empty()) context.progress.notice(journal.notice);
  FORGE_TRY(auto state, fold(journal));
  if (!state.created) {
    return Error{ErrorKind::kCorrupt, "cannot run", paths.journal().string(), "it holds no event",
                 "start a new run"};
  }
  FORGE_TRY(const auto digest, problem_digest(fs, paths.problem()));
  if (digest.hex != state.created->problem_digest) {
    return Error{ErrorKind::kCorrupt, "cannot run", paths.problem().string(),
                 "it is not the problem that was frozen",
                 "restore the folder from a copy, or start a new run"};
  }
  FORGE_TRY(auto problem, load_problem(fs, paths.problem(), HiddenShapes::kLoad));
  FORGE_TRY(auto secrets, read_secrets(fs, paths));
  FORGE_TRY(auto writer, JournalWriter::open(fs, paths.journal(), journal));
  return OpenRun{std::move(lock), std::move(problem), std::move(secrets), std::move(state),
                 std::move(writer)};
}

class Driver {
 public:
  Driver(const RunPaths& paths, DriverContext& context, OpenRun run)
      : paths_(paths),
        context_(context),
        run_(std::move(run)),
        facts_(facts_of(run_.problem)),
        performer_(context, paths, run_.problem, run_.secrets, facts_, run_.state,
                   [this] { show_progress(); }),
        started_ns_(context.clock.monotonic_ns()),
        elapsed_before_s_(run_.state.elapsed_s) {}

  Result<RunEnd> run() {
    // Also of a finished run: best/ and the report are written after its last event.
    FORGE_TRY_STATUS(clear_unfinished(context_.fs, paths_.root()));
    if (!run_.state.finished) FORGE_TRY_STATUS(performer_.recover());
    while (true) {
      const auto action = next(run_.state, facts_, elapsed_s());
      if (const auto* stop = std::get_if<Stop>(&action)) return finish(*stop);
      if (context_.interrupted()) return RunEnd(Interrupted{});
      doing_ = std::visit(Describe{run_.state}, action);
      show_progress();
      auto event = std::visit(performer_, action);
      if (!event && event.error().kind == ErrorKind::kInterrupted) return RunEnd(Interrupted{});
      if (!event) return std::move(event.error());
      FORGE_TRY_STATUS(append(std::move(*event)));
    }
  }

 private:
  Status append(Event event) {
    FORGE_TRY(const auto entry,
              run_.writer.append(std::move(event), context_.clock.utc_now(), elapsed_s()));
    FORGE_TRY(run_.state, apply(std::move(run_.state), entry));
    context_.progress.happened(entry.event, run_.state);
    const auto* judged = std::get_if<RoundJudged>(&entry.event);
    const bool best_changed =
        (judged != nullptr && judged->is_best) || std::holds_alternative<Confirmed>(entry.event);
    return best_changed ? export_best(run_.state, run_.problem, paths_, context_.fs) : Status();
  }

  // Done again when a finished run is run: an interruption may have kept it from being written.
  Result<RunEnd> finish(const Stop& stop) {
    FORGE_TRY_STATUS(export_best(run_.state, run_.problem, paths_, context_.fs));
    FORGE_TRY_STATUS(context_.write_report(paths_));
    doing_ = "finished";
    show_progress();
    return RunEnd(stop.finished);
  }

  double elapsed_s() const {
    const auto driven_ns = context_.clock.monotonic_ns() - started_ns_;
    return elapsed_before_s_ + static_cast<double>(driven_ns) / 1e9;
  }

  void show_progress() {
    const auto& state = run_.state;
    ProgressSnapshot snapshot;
    snapshot.stage = state.stage();
    snapshot.doing = doing_;
    snapshot.round = static_cast<int>(state.rounds.size());
    snapshot.elapsed_s = elapsed_s();
    if (const auto* milestone = state.current_milestone()) {
      snapshot.milestone = milestone->outline.id;
    }
    if (!state.rounds.empty()) snapshot.row = state.rounds.back().started.row;
    if (const auto* judged = state.last_judged()) {
      snapshot.last_verdict = verdict_text(judged->verdict);
    }
    if (const auto* best = state.best(); best != nullptr && best->judged->vs_reference) {
      snapshot.best_ratio = best->judged->vs_reference->ratio;
    }
    if (state.forge_began_s) {
      snapshot.budget_left_s = facts_.hours * 3600 - (snapshot.elapsed_s - *state.forge_began_s);
    }
    context_.progress.update(snapshot);
  }

  const RunPaths& paths_;
  DriverContext& context_;
  OpenRun run_;
  ProblemFacts facts_;
  Performer performer_;
  std::int64_t started_ns_;
  double elapsed_before_s_;
  std::string doing_;
};

}  // namespace

ProblemFacts facts_of(const Problem& problem) {
  ProblemFacts facts;
  facts.goal_ratio = problem.goal_ratio;
  facts.hours = problem.budget.hours;
  facts.max_meta = static_cast<int>(problem.budget.max_meta);
  facts.patience = static_cast<int>(problem.budget.patience);
  facts.tokens = problem.budget.tokens;
  facts.cost = problem.budget.cost;
  return facts;
}

Result<State> read_state(FileReader& fs, const Path& run_directory) {
  FORGE_TRY(const auto journal, read_journal(fs, RunPaths(run_directory).journal()));
  return fold(journal);
}

Result<RunEnd> run_driver(const Path& run_directory, DriverContext& context) {
  const RunPaths paths(run_directory);
  FORGE_TRY(auto run, open_run(paths, context));
  Driver driver(paths, context, std::move(run));
  return driver.run();
}

}  // namespace forge
