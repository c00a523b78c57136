#include "evolve/evolve.h"

#include <fmt/format.h>

#include "driver/job_runner.h"
#include "driver/secrets.h"
#include "evolve/chain_journal.h"
#include "evolve/chain_report.h"
#include "evolve/cumulative.h"
#include "evolve/next_problem.h"
#include "problem/load.h"
#include "run/journal.h"
#include "sys/unfinished.h"

namespace forge {
namespace {

constexpr double kUsualStep = 1.05;

Error cannot_evolve(const Path& object, std::string cause, std::string remedy) {
  return Error{ErrorKind::kInvalidInput, "cannot evolve", object.string(), std::move(cause),
               std::move(remedy)};
}

// A chain on disk and the lock on it.
struct OpenChain {
  ChainPaths paths;
  std::unique_ptr<FileLock> lock;
  ChainState state;
  RecordWriter writer;
};

Status begin(const EvolveRequest& request, const Problem& problem, const ChainPaths& paths,
             EvolveContext& context) {
  FORGE_TRY_STATUS(check_executable(problem, request.task));
  FORGE_TRY_STATUS(check_start(problem, context.run.backend, request.task));
  ChainCreated created;
  created.problem = problem.name;
  created.task = request.task.string();
  FORGE_TRY(const Digest digest, problem_digest(context.driver.fs, request.task));
  created.problem_digest = digest.hex;
  created.step = request.step.value_or(kUsualStep);
  created.max_generations = request.max_generations.value_or(0);
  created.tool = context.run.tool;
  const ChainEntry entry{1, context.driver.clock.utc_now(), 0, created};
  return context.driver.fs.write_atomic(paths.journal(), chain_line(entry) + "\n");
}

// Going on with other settings, or with a problem that is another one now, would be another chain.
Status check_same(const EvolveRequest& request, const ChainState& state, const ChainPaths& paths,
                  FileReader& fs) {
  const ChainCreated& created = *state.created;
  const std::string move_away =
      fmt::format("move {} away to begin a new chain", paths.root().string());
  if (request.step && *request.step != created.step) {
    return cannot_evolve(request.task, fmt::format("its chain has step {}", created.step),
                         move_away);
  }
  if (request.max_generations && *request.max_generations != created.max_generations) {
    return cannot_evolve(
        request.task, fmt::format("its chain has a cap of {} generations", created.max_generations),
        move_away);
  }
  FORGE_TRY(const Digest digest, problem_digest(fs, request.task));
  if (digest.hex == created.problem_digest) return {};
  return cannot_evolve(request.task, "it changed since its chain began", move_away);
}

Result<OpenChain> open_chain(const EvolveRequest& request, EvolveContext& context) {
  auto& fs = context.driver.fs;
  FORGE_TRY(const Problem problem, load_problem(fs, request.task, HiddenShapes::kLoad));
  if (problem.lineage) {
    return cannot_evolve(request.task,
                         fmt::format("it is generation {} of '{}' itself",
                                     problem.lineage->generation, problem.lineage->original),
                         "evolve the original, or copy the folder and remove [lineage]");
  }
  ChainPaths paths(request.artifacts, problem.name);
  FORGE_TRY_STATUS(fs.make_directories(paths.root()));
  FORGE_TRY(auto lock, fs.try_lock(paths.lock(), context.driver.holder));
  FORGE_TRY_STATUS(clear_unfinished(fs, paths.root()));
  if (!fs.exists(paths.journal())) FORGE_TRY_STATUS(begin(request, problem, paths, context));
  FORGE_TRY(const ChainJournal journal, read_chain_journal(fs, paths.journal()));
  if (!journal.notice.empty()) context.driver.progress.notice(journal.notice);
  FORGE_TRY(ChainState state, fold(journal));
  if (!state.created) {
    return cannot_evolve(paths.journal(), "it holds no event", "move the chain's folder away");
  }
  FORGE_TRY_STATUS(check_same(request, state, paths, fs));
  FORGE_TRY(auto writer,
            RecordWriter::open(fs, paths.journal(), journal.whole_bytes, journal.notice,
                               static_cast<int>(journal.entries.size())));
  return OpenChain{std::move(paths), std::move(lock), std::move(state), std::move(writer)};
}

// In words; a label where only the confirmation showed that another reference is the fastest.
std::string opponent_text(const State& run) {
  const std::string& label = opponent_to_beat(run);
  return label == run.baseline->opponent ? run.baseline->description : label;
}

GenerationEnded outcome_of(int generation, const State& run, const Finished& finished) {
  GenerationEnded ended;
  ended.generation = generation;
  ended.ending = finished.ending;
  ended.why = finished.why;
  ended.candidates = static_cast<int>(run.rounds.size());
  if (!run.baseline) return ended;
  ended.opponent = opponent_text(run);
  ended.noise_floor = run.baseline->noise_floor;
  if (const MeasuredRatio* confirmed = run.confirmed_ratio()) ended.confirmed = *confirmed;
  return ended;
}

class Chain {
 public:
  // nullopt: interrupted.
  using Outcome = Result<std::optional<ChainEvent>>;

  Chain(const EvolveRequest& request, EvolveContext& context, OpenChain chain)
      : request_(request),
        context_(context),
        driver_(context.driver),
        chain_(std::move(chain)),
        began_ns_(driver_.clock.monotonic_ns()),
        elapsed_before_s_(chain_.state.elapsed_s) {}

  Result<EvolveEnd> run() {
    while (true) {
      const ChainAction action = next(chain_.state);
      if (std::holds_alternative<ChainIsDone>(action)) return finish();
      if (driver_.interrupted()) return EvolveEnd(Interrupted{});
      FORGE_TRY(auto event, std::visit([this](const auto& act) { return perform(act); }, action));
      if (!event) return EvolveEnd(Interrupted{});
      FORGE_TRY_STATUS(append(std::move(*event)));
    }
  }

 private:
  Outcome perform(const OpenGeneration& action) {
    GenerationOpened opened;
    opened.generation = action.generation;
    const std::string& name = chain_.state.created->problem;
    opened.problem = generation_name(name, action.generation);
    opened.task = generation_task(request_.task, name, action.generation).string();
    FORGE_TRY(opened.run,
              free_run_name(request_.artifacts, opened.problem, driver_.fs, context_.entropy));
    return std::optional<ChainEvent>(opened);
  }

  Outcome perform(const DriveGeneration& action) {
    const auto& opened =
        chain_.state.generations[static_cast<std::size_t>(action.generation)].opened;
    const Path folder = run_folder(opened);
    if (!driver_.fs.exists(RunPaths(folder).journal())) {
      NewRun request = context_.run;
      request.task = opened.task;
      request.artifacts = request_.artifacts;
      request.name = opened.run;
      FORGE_TRY(const Path made, create_run(request, driver_.fs, driver_.clock, context_.entropy));
      static_cast<void>(made);
    }
    driver_.progress.notice(fmt::format("generation {}: {}", opened.generation, folder.string()));
    FORGE_TRY(const RunEnd end, run_driver(folder, driver_));
    if (std::holds_alternative<Interrupted>(end)) return std::optional<ChainEvent>();
    FORGE_TRY(const State run, read_state(driver_.fs, folder));
    const auto ended = outcome_of(opened.generation, run, std::get<Finished>(end));
    driver_.progress.notice(generation_line(ended));
    return std::optional<ChainEvent>(ended);
  }

  Outcome perform(const WriteProblem& action) {
    const Generation& last = chain_.state.generations.back();
    const RunPaths run(run_folder(last.opened));
    FORGE_TRY(const State state, read_state(driver_.fs, run.root()));
    const std::string& original = chain_.state.created->problem;
    NextProblem next;
    next.name = generation_name(original, action.generation);
    next.frozen = run.problem();
    next.kernel = run.best() / kKernelFile;
    next.tolerance = state.judge->tolerance;
    next.goal_ratio = chain_.state.created->step;
    next.lineage = {action.generation, original, last.opened.problem, last.opened.run,
                    last.ended->confirmed->ratio.point};
    const Path folder = generation_task(request_.task, original, action.generation);
    FORGE_TRY_STATUS(write_next_problem(next, folder, driver_.fs));
    FORGE_TRY(const Digest digest, problem_digest(driver_.fs, folder));
    return std::optional<ChainEvent>(
        ProblemWritten{action.generation, next.name, folder.string(), digest.hex});
  }

  Outcome perform(const MeasureCumulative&) {
    const RunPaths first(run_folder(chain_.state.generations.front().opened));
    const RunPaths own(chain_.paths.root());
    driver_.progress.notice("measuring all generations beside the original references");
    FORGE_TRY_STATUS(driver_.fs.remove_all(own.problem()));
    FORGE_TRY_STATUS(driver_.fs.copy_tree(first.problem(), own.problem()));
    FORGE_TRY(const Problem problem, load_problem(driver_.fs, own.problem(), HiddenShapes::kLoad));
    FORGE_TRY(const State state, read_state(driver_.fs, first.root()));
    JobBasis basis{problem, state, own, driver_.cache.string(), state.judge->digest, {}};
    const JsonReader reader(state.judge->tolerance, first.journal().string());
    FORGE_TRY(basis.tolerance, tolerance_from_json(reader));
    std::vector<GenerationKernel> kernels;
    for (auto& [generation, file] : generation_kernels(chain_.state, request_.artifacts)) {
      kernels.push_back({generation, std::move(file)});
    }
    JobRunner jobs(driver_, own, [] {});
    auto outcome = jobs.run(cumulative_job(basis, kernels, draw_job_seeds(context_.entropy)));
    if (!outcome && outcome.error().kind == ErrorKind::kInterrupted) {
      return std::optional<ChainEvent>();
    }
    if (!outcome) return std::move(outcome.error());
    return std::optional<ChainEvent>(cumulative_event(*outcome, kernels, state));
  }

  // That it could not be measured is an outcome: it must not undo what the links have shown.
  static CumulativeMeasured cumulative_event(const JobOutcome& outcome,
                                             const std::vector<GenerationKernel>& kernels,
                                             const State& first) {
    CumulativeMeasured event;
    event.opponent = opponent_text(first);
    if (const auto* error = std::get_if<Error>(&outcome)) {
      event.failure = error->message();
      return event;
    }
    auto ratios = cumulative_ratios(std::get<JobResult>(outcome), kernels, opponent_to_beat(first),
                                    first.baseline->machine_sd);
    if (ratios) {
      event.ratios = std::move(*ratios);
    } else {
      event.failure = ratios.error().message();
    }
    return event;
  }

  Outcome perform(const FinishChain& action) { return std::optional<ChainEvent>(action.finished); }
  Outcome perform(const ChainIsDone&) { return std::optional<ChainEvent>(); }

  Path run_folder(const GenerationOpened& opened) const { return request_.artifacts / opened.run; }

  Status append(ChainEvent event) {
    const double elapsed =
        elapsed_before_s_ + static_cast<double>(driver_.clock.monotonic_ns() - began_ns_) / 1e9;
    const std::string at = driver_.clock.utc_now();
    FORGE_TRY(const int number,
              chain_.writer.append(at, elapsed, chain_event_type(event), chain_event_data(event)));
    FORGE_TRY(chain_.state,
              apply(std::move(chain_.state), {number, at, elapsed, std::move(event)}));
    return {};
  }

  Result<EvolveEnd> finish() {
    FORGE_TRY(const ChainReport report,
              read_chain_report(chain_.state, request_.artifacts, driver_.fs, driver_.processes));
    FORGE_TRY_STATUS(driver_.fs.write_atomic(chain_.paths.report(), render_chain_markdown(report)));
    return EvolveEnd(*chain_.state.finished);
  }

  const EvolveRequest& request_;
  EvolveContext& context_;
  DriverContext& driver_;
  OpenChain chain_;
  std::int64_t began_ns_;
  double elapsed_before_s_;
};

}  // namespace

Result<EvolveEnd> run_evolve(const EvolveRequest& request, EvolveContext& context) {
  FORGE_TRY(OpenChain chain, open_chain(request, context));
  Chain driven(request, context, std::move(chain));
  return driven.run();
}

Result<ChainState> read_chain(FileReader& fs, const ChainPaths& paths) {
  FORGE_TRY(const ChainJournal journal, read_chain_journal(fs, paths.journal()));
  return fold(journal);
}

std::vector<std::pair<int, Path>> generation_kernels(const ChainState& state,
                                                     const Path& artifacts) {
  std::vector<std::pair<int, Path>> kernels;
  for (const int generation : gains(state)) {
    const auto& opened = state.generations[static_cast<std::size_t>(generation)].opened;
    kernels.emplace_back(generation, RunPaths(artifacts / opened.run).best() / kKernelFile);
  }
  return kernels;
}

}  // namespace forge
