#include "cli/tune_session.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "cli/tuning_store.h"
#include "cli/workbench.h"
#include "driver/kernel_space.h"
#include "driver/sweep.h"
#include "search/exhaustive.h"
#include "search/model_search.h"
#include "student/verdict.h"

namespace forge {
namespace {

constexpr std::string_view kUser = "forge tune";
constexpr std::string_view kDefaultOpponent = "default";
// Of what was good for other kernels on this machine: tried first.
constexpr std::size_t kMostHints = 4;

struct TunedKernel {
  Path file;
  std::string source;
  KernelChoices choices;
};

Result<TunedKernel> read_kernel(const TuneOptions& options, const Problem& problem, Fs& fs) {
  TunedKernel kernel;
  kernel.file = options.kernel;
  if (kernel.file.empty()) {
    if (!problem.start_path) {
      return Error{ErrorKind::kInvalidInput, "cannot tune", options.task.string(),
                   "the problem has no start kernel", "name a kernel's source file"};
    }
    kernel.file = options.task / *problem.start_path / kKernelFile;
  }
  FORGE_TRY_STATUS(require_kernel_file(fs, kernel.file));
  FORGE_TRY(kernel.source, fs.read(kernel.file));
  FORGE_TRY(kernel.choices, scan_choices(kernel.source, kernel.file.string()));
  if (kernel.choices.tunables.empty()) {
    return Error{ErrorKind::kInvalidInput, "cannot tune", kernel.file.string(),
                 "it declares nothing to choose",
                 "declare values with FORGE_TUNABLE (docs/formats/kernel-interface.md)"};
  }
  return kernel;
}

class TuneSession {
 public:
  TuneSession(const TuneOptions& options, Context& context, StatusLine& progress, Workbench& bench,
              TunedKernel kernel, Space space, TuningStore store, std::vector<Point> hints)
      : options_(options),
        context_(context),
        progress_(progress),
        bench_(bench),
        kernel_(std::move(kernel)),
        store_(std::move(store)),
        hints_(std::move(hints)),
        seeds_(bench.fresh_seeds()),
        began_ns_(context.clock.monotonic_ns()) {
    report_.problem = bench.problem().name;
    report_.kernel = kernel_.file.string();
    report_.space = std::move(space);
    report_.best = report_.space.start();
    origin_ = report_.space.settings(report_.space.start());
    if (options.earlier == EarlierRuns::kUse) {
      report_.observations = relative_to(store_.records(), origin_);
      report_.earlier_measurements = measurements_of(report_.observations);
    }
    report_.folder = folder().string();
  }

  Result<TuneReport> run() {
    auto measured = search();
    take_stock();
    FORGE_TRY_STATUS(write_files());
    if (!measured) return unfinished(std::move(measured.error()));
    auto confirmed = confirm();
    report_.seconds = elapsed_s();
    FORGE_TRY_STATUS(write_files());
    if (!confirmed) return unfinished(std::move(confirmed.error()));
    progress_.clear();
    return std::move(report_);
  }

 private:
  Path folder() const {
    if (!options_.out.empty()) return options_.out;
    return context_.artifacts / "tunings" / bench_.problem().name;
  }

  double elapsed_s() const {
    return static_cast<double>(context_.clock.monotonic_ns() - began_ns_) / 1e9;
  }

  int spent() const { return measurements_of(report_.observations) - report_.earlier_measurements; }

  SearchProposal propose() const {
    if (options_.measurements > 0 && spent() >= options_.measurements) {
      return {{}, fmt::format("{} measurements are spent", spent())};
    }
    if (options_.minutes > 0 && elapsed_s() >= options_.minutes * 60) {
      return {{}, fmt::format("{:g} minutes are spent", options_.minutes)};
    }
    if (options_.strategy == TuneStrategy::kExhaustive) {
      return propose_exhaustive(report_.space, report_.observations, options_.seed,
                                kMostSweepCandidates);
    }
    SearchPlan plan;
    plan.seed = options_.seed;
    plan.hints = hints_;
    if (options_.measurements > 0) plan.measurements_left = options_.measurements - spent();
    return propose_search(report_.space, report_.observations, plan);
  }

  Status search() {
    while (true) {
      SearchProposal proposal = propose();
      report_.seconds = elapsed_s();
      report_.ended = proposal.done;
      if (!proposal.done.empty()) return {};
      report_.ended = "interrupted";
      FORGE_TRY(auto observations, measure(proposal.requests));
      TuningRecord record{origin_, observations};
      FORGE_TRY_STATUS(store_.append(std::move(record)));
      for (Observation& each : observations) report_.observations.push_back(std::move(each));
      take_stock();
    }
  }

  Result<std::vector<Observation>> measure(const std::vector<SearchRequest>& requests) {
    const SweepOrder sweep{kernel_.file, origin_, requests,
                           known_artefacts(report_.observations, requests)};
    const int number = bench_.next_job();
    const JobOrder order = sweep_job(bench_.basis(), number, sweep, seeds_);
    FORGE_TRY(const JobResult result, bench_.run_for<SweepResult>(order, doing()));
    report_.machine = result.machine;
    report_.compile_seconds += result.compile_seconds;
    report_.measure_seconds += result.measure_seconds;
    return observations_of(std::get<SweepResult>(result.body), store_.last_job() + 1, requests);
  }

  std::string doing() const {
    const auto left = options_.measurements > 0 ? fmt::format(" of {}", options_.measurements) : "";
    return fmt::format("{}: {}{} measurements, best {:.2f} times as fast as the default, {}",
                       bench_.problem().name, spent(), left, report_.predicted,
                       format_elapsed(elapsed_s()));
  }

  // The best so far.
  void take_stock() {
    if (options_.strategy == TuneStrategy::kExhaustive) return take_best_mean();
    const Recommendation best = recommend(report_.space, report_.observations);
    report_.best = best.point;
    report_.predicted = std::exp(best.log_gain);
  }

  // Of a space that was measured as a whole, the best ones often enough to rank them.
  void take_best_mean() {
    double best = 0;
    for (const Observation& each : report_.observations) {
      const auto point = report_.space.point(each.settings);
      double sum = 0;
      int values = 0;
      for (const auto& trial : each.trials) {
        for (const double value : trial) {
          sum += value;
          ++values;
        }
      }
      if (!point || values == 0 || sum / values <= best) continue;
      best = sum / values;
      report_.best = *point;
    }
    report_.predicted = std::exp(best);
  }

  std::string best_source() const {
    return with_defaults(kernel_.source, kernel_.choices.tunables,
                         report_.space.settings(report_.best));
  }

  Status write_files() {
    auto& fs = context_.fs;
    FORGE_TRY_STATUS(fs.make_directories(folder()));
    FORGE_TRY_STATUS(fs.write_atomic(folder() / kKernelFile, best_source()));
    FORGE_TRY_STATUS(fs.write_atomic(folder() / "measurements.tsv", tune_table(report_)));
    return fs.write_atomic(folder() / "tuning.json", tune_json(report_).dump_pretty() + "\n");
  }

  // Fresh trials on fresh seeds, of the best beside the default and the references.
  Status confirm() {
    JobOrder order = align_job(bench_.basis(), bench_.next_job(), bench_.fresh_seeds());
    order.spec.kind = JobKind::kConfirm;
    order.spec.hidden_shapes = !bench_.problem().hidden_shapes.empty();
    BundleArm candidate;
    candidate.spec.label = kCandidateArm;
    candidate.spec.role = ArmRole::kCandidate;
    candidate.file = folder() / kKernelFile;
    const bool changed = report_.best != report_.space.start();
    if (changed) {
      BundleArm start = candidate;
      start.spec.label = kDefaultOpponent;
      start.spec.role = ArmRole::kIncumbent;
      start.file = kernel_.file;
      order.arms.insert(order.arms.begin(), std::move(start));
    }
    order.arms.insert(order.arms.begin(), std::move(candidate));
    FORGE_TRY(const JobResult result,
              bench_.run_for<JudgeResult>(order, "confirming the best on fresh seeds"));
    keep_confirmation(result);
    return {};
  }

  void keep_confirmation(const JobResult& result) {
    const auto& judged = std::get<JudgeResult>(result.body);
    report_.verdict = verdict_name(judged.outcome);
    report_.reason = explain(judged.outcome);
    for (const Contrast& contrast : judged.contrasts) {
      std::string description;
      for (const ArmFacts& arm : result.arms) {
        const bool reference = contrast.opponent != kDefaultOpponent;
        if (reference && arm.label == contrast.opponent) description = arm.description;
      }
      report_.confirmed.push_back({contrast.opponent, std::move(description), contrast});
    }
  }

  Error unfinished(Error error) const {
    const auto kept = fmt::format(
        "{} measurements are kept, and the best so far lies in {}; the same command goes on",
        measurements_of(report_.observations), report_.folder);
    error.remedy = error.remedy.empty() ? kept : error.remedy + "; " + kept;
    return error;
  }

  const TuneOptions& options_;
  Context& context_;
  StatusLine& progress_;
  Workbench& bench_;
  TunedKernel kernel_;
  TuningStore store_;
  std::vector<Point> hints_;
  std::vector<std::uint64_t> seeds_;
  std::int64_t began_ns_;
  std::map<std::string, std::string> origin_;
  TuneReport report_;
};

}  // namespace

Result<TuneReport> tune_kernel(const TuneOptions& options, Context& context) {
  StatusLine progress(context.err, context.err_terminal, context.columns);
  FORGE_TRY(const auto bench, Workbench::open(options.task, kUser, context, progress));
  FORGE_TRY(TunedKernel kernel, read_kernel(options, bench->problem(), context.fs));
  FORGE_TRY(Space space, kernel_space(kernel.choices, bench->problem()));
  FORGE_TRY_STATUS(bench->align());
  const Path file = tuning_file(bench->cache(), bench->key().brief(),
                                space_digest(kernel.source, kernel.choices));
  FORGE_TRY(auto store, TuningStore::open(context.fs, file, kUser));
  std::vector<Point> hints;
  if (options.earlier == EarlierRuns::kUse) {
    hints = points_from_others(context.fs, file, space, kMostHints);
  }
  TuneSession session(options, context, progress, *bench, std::move(kernel), std::move(space),
                      std::move(store), std::move(hints));
  return session.run();
}

}  // namespace forge
