// When to stop measuring and what may be said: looks, equivalence, no verdict. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "stats/interval.h"

namespace forge {

// Of a ratio 'opponent's time over candidate's time': faster means the candidate is.
enum class Comparison { kFaster, kSlower, kSame, kNoVerdict };
std::string_view comparison_name(Comparison comparison);  // "faster", …, "no_verdict"
std::optional<Comparison> parse_comparison(std::string_view name);

// The two-sided error `alpha` of each look; they sum to at most the total promised. Looks ascend
// from at least 2 and each has its alpha in (0, 1).
struct LookPlan {
  std::vector<int> looks = {6, 12, 24};
  std::vector<double> alpha = {0.003, 0.003, 0.004};
  double same_margin = 0.01;  // 'same': the whole interval within ratio 1 ± this
};

std::optional<std::string> fault_of(const LookPlan& plan);  // what breaks that rule, if anything

struct KeepMeasuring {
  int next_look = 0;
};

struct Decided {
  Comparison comparison = Comparison::kNoVerdict;
  Interval ratio;  // opponent over candidate, at this look's alpha; all 0: no estimate
  int trials = 0;
  std::string reason;  // for kNoVerdict: why
};

using LookDecision = std::variant<KeepMeasuring, Decided>;

// `log_ratios`: one value a trial, log(opponent / candidate). `machine_sd`: the machine's own
// spread of A/A trials on the same scale; it only widens. Call when log_ratios.size() reaches a
// look of the plan (fewer: KeepMeasuring; past the last: the last look). Gives up early if the
// spread so far says that even the last look would not decide. A value that is not finite is
// missing evidence: no verdict. Requires a plan without fault.
LookDecision look(const LookPlan& plan, std::span<const double> log_ratios, double machine_sd);

// A fixed number of trials and no looks, for confirmation; alpha is two-sided. Fewer than 2 trials
// or a value that is not finite: no verdict.
Decided conclude(std::span<const double> log_ratios, double alpha, double machine_sd,
                 double same_margin);

}  // namespace forge
