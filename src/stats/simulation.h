// A simulated machine under the real protocol: pairs, shapes, trials and looks, with noise whose
// truth is known. Test support; the parts that decide are the product's own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "stats/sequential.h"

namespace forge::simulation {

// All spreads are of log time. Every model has white noise a call and a draw of its own for each
// arm and trial, since a fresh process lands elsewhere in memory each time.
struct NoiseModel {
  std::string_view name;
  double call_sd = 0.01;
  double set_up_sd = 0.003;
  double walk_sd = 0;  // a random walk of the machine's speed, each call
  double drift = 0;    // a steady change of the machine's speed, each call
  double step = 0;     // one lasting slow-down somewhere in the run, in mid-call
  double step_felt_by_candidate = 1;
  double episode = 0;         // slow-downs that come and go, in mid-call
  double episode_begins = 0;  // chance a call
  double episode_ends = 0;
  int tail_dof = 0;           // 0: normal; else the call's noise is Student-t
  double outlier_chance = 0;  // a call takes ten times as long
};

// White, two drifts, two kinds of throttling, heavy tails, outliers.
const std::vector<NoiseModel>& noise_models();

struct Protocol {
  std::size_t shapes = 2;
  std::size_t pairs = 3;
  LookPlan looks = {};
};

// A run on one machine: successive trials share its drift and throttling.
class Run {
 public:
  Run(const NoiseModel& model, const Protocol& protocol, double true_ratio, Random& random);
  double next_trial();  // log(opponent / candidate), mean over shapes

 private:
  enum class Arm { kOpponent, kCandidate };
  double call_ns(Arm arm, double log_time);
  double slowdown(Arm arm);
  double call_noise();

  const NoiseModel& model_;
  const Protocol& protocol_;
  double true_log_ratio_;
  Random& random_;
  std::size_t calls_ = 0;
  std::size_t step_at_;
  double speed_ = 0;
  bool in_episode_ = false;
};

// Trials until a look decides.
Decided run_until_decided(const NoiseModel& model, const Protocol& protocol, double true_ratio,
                          double machine_sd, Random& random);

struct Tally {
  int repetitions = 0;
  int faster = 0;
  int slower = 0;
  int same = 0;
  int no_verdict = 0;
  double trials = 0;  // mean
};
Tally tally_looks(const NoiseModel& model, const Protocol& protocol, double true_ratio,
                  int repetitions);

// How many of the intervals of `conclude` over 12 trials miss the true ratio.
int count_misses(const NoiseModel& model, const Protocol& protocol, double true_ratio, double alpha,
                 int repetitions);

// The least count that a binomial of `repetitions` at `rate` exceeds with a chance below 1e-3.
int binomial_bound(int repetitions, double rate);

}  // namespace forge::simulation
