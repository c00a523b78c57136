#include "stats/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace forge {
namespace {

constexpr std::array<std::pair<Comparison, std::string_view>, 4> kNames = {{
    {Comparison::kFaster, "faster"},
    {Comparison::kSlower, "slower"},
    {Comparison::kSame, "same"},
    {Comparison::kNoVerdict, "no_verdict"},
}};

// Below this chance of deciding at the last look, measuring on is a waste.
constexpr double kFutileChance = 0.05;

// What the trials so far say of their own spread.
struct Sample {
  double count = 0;
  double mean = 0;
  double sd = 0;          // as measured
  double machine_sd = 0;  // at least this is used for intervals

  double widened_sd() const { return std::max(sd, machine_sd); }
};

// 'Same' comes first: a difference that is certain but inside the margin is not worth a word, and
// effects of placement that no interval sees are of that size.
Comparison classify(const Interval& log_interval, double margin) {
  if (log_interval.low > std::log1p(-margin) && log_interval.high < std::log1p(margin)) {
    return Comparison::kSame;
  }
  if (log_interval.low > 0) return Comparison::kFaster;
  if (log_interval.high < 0) return Comparison::kSlower;
  return Comparison::kNoVerdict;
}

double half_width(double alpha, double sd, double count) {
  return student_t_quantile(1 - alpha / 2, count - 1) * sd / std::sqrt(count);
}

// The number of trials at which an interval about this mean would decide, if mean and spread stay
// as they are. Finite, since a mean is always away from 1 or inside the margin.
double needed_trials(const Sample& sample, double alpha, double margin) {
  const double to_margin =
      std::min(std::log1p(margin) - sample.mean, sample.mean - std::log1p(-margin));
  const double allowed = std::max(std::abs(sample.mean), to_margin);
  double count = sample.count;
  for (int step = 0; step < 20; ++step) {  // t depends on the count, weakly: a fixed point
    const double t = student_t_quantile(1 - alpha / 2, count - 1);
    const double next = std::max(2.0, std::ceil(std::pow(t * sample.widened_sd() / allowed, 2)));
    if (next == count) break;
    count = next;
  }
  return count;
}

// Stochastic curtailment (Lan, Simon, Halperin 1982): given mean and spread so far, is the chance
// that the last look decides below kFutileChance? The spread may be one standard error smaller
// than it looks, since from 6 trials it is known to a third only.
bool last_look_is_hopeless(const LookPlan& plan, const Sample& sample) {
  const double last = plan.looks.back();
  const double optimistic_sd = sample.sd * (1 - 1 / std::sqrt(2 * (sample.count - 1)));
  const double half =
      half_width(plan.alpha.back(), std::max(optimistic_sd, sample.machine_sd), last);
  const double drift = student_t_quantile(1 - kFutileChance, sample.count - 1) *
                       sample.widened_sd() * std::sqrt(last - sample.count) / last;
  if (std::abs(sample.mean) + drift > half) return false;
  const double low = std::log1p(-plan.same_margin);
  const double high = std::log1p(plan.same_margin);
  const double best = std::clamp((low + high) / 2, sample.mean - drift, sample.mean + drift);
  return best - half <= low || best + half >= high;
}

std::string percent(double log_sd) { return fmt::format("{:.3g} %", 100 * std::expm1(log_sd)); }

std::string undecided_reason(const Sample& sample, const Interval& ratio, double alpha,
                             double margin) {
  const bool by_machine = sample.machine_sd > sample.sd;
  return fmt::format(
      "after {} trials the interval {:.4g} to {:.4g} neither excludes 1 nor lies within {:g} % of "
      "it: {} of {} a trial would need about {:.0f} trials",
      sample.count, ratio.low, ratio.high, 100 * margin,
      by_machine ? "the machine's own spread" : "a spread", percent(sample.widened_sd()),
      needed_trials(sample, alpha, margin));
}

std::optional<Decided> missing_evidence(std::span<const double> log_ratios, double machine_sd) {
  Decided decided;
  decided.trials = static_cast<int>(log_ratios.size());
  if (log_ratios.size() < 2) {
    decided.reason = fmt::format("{} trials give no interval; 2 are the least", log_ratios.size());
    return decided;
  }
  const auto bad = std::find_if(log_ratios.begin(), log_ratios.end(),
                                [](double value) { return !std::isfinite(value); });
  if (bad != log_ratios.end()) {
    decided.reason = fmt::format("trial {} of {} has no finite ratio", bad - log_ratios.begin() + 1,
                                 log_ratios.size());
    return decided;
  }
  if (std::isfinite(machine_sd)) return std::nullopt;
  decided.reason = "the machine's own spread is not a finite number";
  return decided;
}

Sample sample_of(std::span<const double> log_ratios, double machine_sd) {
  return {static_cast<double>(log_ratios.size()), mean(log_ratios), sample_sd(log_ratios),
          machine_sd};
}

// Without a reason. Requires evidence.
Decided decide(std::span<const double> log_ratios, double alpha, double machine_sd,
               double same_margin) {
  const Interval interval = student_t_interval(log_ratios, alpha, machine_sd);
  return {classify(interval, same_margin), exponentiate(interval),
          static_cast<int>(log_ratios.size()), ""};
}

}  // namespace

std::string_view comparison_name(Comparison comparison) {
  for (const auto& [value, name] : kNames) {
    if (value == comparison) return name;
  }
  invariant_failed(__FILE__, __LINE__, "every comparison has a name");
}

std::optional<Comparison> parse_comparison(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::optional<std::string> fault_of(const LookPlan& plan) {
  if (plan.looks.empty()) return "a look plan needs at least one look";
  if (plan.looks.size() != plan.alpha.size()) {
    return fmt::format("{} looks need as many alphas, not {}", plan.looks.size(),
                       plan.alpha.size());
  }
  int before = 1;
  for (int count : plan.looks) {
    if (count <= before) return fmt::format("looks ascend from at least 2, but one is {}", count);
    before = count;
  }
  for (double alpha : plan.alpha) {
    if (!(alpha > 0 && alpha < 1)) return fmt::format("alpha {} is not between 0 and 1", alpha);
  }
  if (!(plan.same_margin > 0 && plan.same_margin < 1)) {
    return fmt::format("margin {} is not between 0 and 1", plan.same_margin);
  }
  return std::nullopt;
}

LookDecision look(const LookPlan& plan, std::span<const double> log_ratios, double machine_sd) {
  FORGE_CHECK(!fault_of(plan));
  const auto count = static_cast<int>(log_ratios.size());
  const auto next = std::lower_bound(plan.looks.begin(), plan.looks.end(), count);
  if (next != plan.looks.end() && *next != count) return KeepMeasuring{*next};

  if (auto missing = missing_evidence(log_ratios, machine_sd)) return *missing;
  const bool is_last = count >= plan.looks.back();
  const double alpha =
      is_last ? plan.alpha.back() : plan.alpha[static_cast<std::size_t>(next - plan.looks.begin())];
  Decided decided = decide(log_ratios, alpha, machine_sd, plan.same_margin);
  if (decided.comparison != Comparison::kNoVerdict) return decided;

  const Sample sample = sample_of(log_ratios, machine_sd);
  if (!is_last && !last_look_is_hopeless(plan, sample)) return KeepMeasuring{*(next + 1)};
  decided.reason = undecided_reason(sample, decided.ratio, plan.alpha.back(), plan.same_margin);
  if (!is_last) {
    decided.reason += fmt::format(", more than the {} of the last look", plan.looks.back());
  }
  return decided;
}

Decided conclude(std::span<const double> log_ratios, double alpha, double machine_sd,
                 double same_margin) {
  if (auto missing = missing_evidence(log_ratios, machine_sd)) return *missing;
  Decided decided = decide(log_ratios, alpha, machine_sd, same_margin);
  if (decided.comparison == Comparison::kNoVerdict) {
    decided.reason =
        undecided_reason(sample_of(log_ratios, machine_sd), decided.ratio, alpha, same_margin);
  }
  return decided;
}

}  // namespace forge
