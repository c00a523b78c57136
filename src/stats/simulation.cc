#include "stats/simulation.h"

#include <cmath>

#include "stats/trial.h"

namespace forge::simulation {
namespace {

// Shapes differ in their ratio; only the mean over shapes is the truth that is asked for.
double shape_offset(std::size_t shape, std::size_t shapes) {
  return 0.2 * (static_cast<double>(shape) - 0.5 * static_cast<double>(shapes - 1));
}

Random seeded(const NoiseModel& model, double true_ratio) {
  return {static_cast<std::uint64_t>(std::llround(true_ratio * 1e6)), model.name};
}

}  // namespace

const std::vector<NoiseModel>& noise_models() {
  static const std::vector<NoiseModel> models = {
      {.name = "white"},
      {.name = "white, 4 % a call", .call_sd = 0.04},
      {.name = "random walk", .walk_sd = 0.01},
      {.name = "linear drift", .call_sd = 0.002, .drift = 0.005},
      {.name = "throttled once", .step = 0.35},
      {.name = "throttled now and then",
       .episode = 0.35,
       .episode_begins = 0.02,
       .episode_ends = 0.1},
      {.name = "t, 3 degrees", .tail_dof = 3},
      {.name = "t, 2 degrees", .tail_dof = 2},
      {.name = "outliers of 10x", .outlier_chance = 0.01},
  };
  return models;
}

Run::Run(const NoiseModel& model, const Protocol& protocol, double true_ratio, Random& random)
    : model_(model),
      protocol_(protocol),
      true_log_ratio_(std::log(true_ratio)),
      random_(random),
      step_at_(random.below(2 * protocol.shapes * protocol.pairs *
                            static_cast<std::size_t>(protocol.looks.looks.back()))) {}

double Run::call_noise() {
  double noise = random_.normal();
  if (model_.tail_dof > 0) {
    double chi_square = 0;
    for (int i = 0; i < model_.tail_dof; ++i) chi_square += std::pow(random_.normal(), 2);
    noise /= std::sqrt(chi_square / model_.tail_dof);
  }
  noise *= model_.call_sd;
  if (model_.outlier_chance > 0 && random_.uniform() < model_.outlier_chance) {
    noise += std::log(10.0);
  }
  return noise;
}

// What throttling adds to this call. One that begins or ends in mid-call is felt in part.
double Run::slowdown(Arm arm) {
  double total = 0;
  if (model_.step > 0 && calls_ >= step_at_) {
    const double felt = arm == Arm::kCandidate ? model_.step_felt_by_candidate : 1;
    total += felt * model_.step * (calls_ == step_at_ ? random_.uniform() : 1);
  }
  if (model_.episode > 0) {
    const double chance = in_episode_ ? model_.episode_ends : model_.episode_begins;
    const bool changes = random_.uniform() < chance;
    const double share = changes ? random_.uniform() : (in_episode_ ? 1 : 0);
    total += model_.episode * share;
    in_episode_ = in_episode_ != changes;
  }
  return total;
}

double Run::call_ns(Arm arm, double log_time) {
  speed_ += model_.drift;
  if (model_.walk_sd > 0) speed_ += model_.walk_sd * random_.normal();
  const double log_ns = log_time + speed_ + slowdown(arm) + call_noise();
  ++calls_;
  return std::exp(log_ns);
}

double Run::next_trial() {
  const double candidate_set_up = model_.set_up_sd * random_.normal();
  const double opponent_set_up = model_.set_up_sd * random_.normal();
  const auto orders = arm_orders(protocol_.shapes * protocol_.pairs, 2, random_);
  std::vector<double> values;
  for (std::size_t shape = 0; shape < protocol_.shapes; ++shape) {
    const double gain = true_log_ratio_ + shape_offset(shape, protocol_.shapes);
    std::vector<double> opponent;
    std::vector<double> candidate;
    for (std::size_t pair = 0; pair < protocol_.pairs; ++pair) {
      for (std::size_t arm : orders[shape * protocol_.pairs + pair]) {
        if (arm == 0) {
          candidate.push_back(call_ns(Arm::kCandidate, candidate_set_up - gain));
        } else {
          opponent.push_back(call_ns(Arm::kOpponent, opponent_set_up));
        }
      }
    }
    values.push_back(shape_value(to_log_ratios(opponent, candidate)));
  }
  return trial_value(values);
}

Decided run_until_decided(const NoiseModel& model, const Protocol& protocol, double true_ratio,
                          double machine_sd, Random& random) {
  Run run(model, protocol, true_ratio, random);
  std::vector<double> trials;
  while (true) {
    const LookDecision decision = look(protocol.looks, trials, machine_sd);
    if (const auto* decided = std::get_if<Decided>(&decision)) return *decided;
    const int next = std::get<KeepMeasuring>(decision).next_look;
    while (static_cast<int>(trials.size()) < next) trials.push_back(run.next_trial());
  }
}

Tally tally_looks(const NoiseModel& model, const Protocol& protocol, double true_ratio,
                  int repetitions) {
  Tally tally{.repetitions = repetitions};
  Random random = seeded(model, true_ratio);
  for (int i = 0; i < repetitions; ++i) {
    const Decided decided = run_until_decided(model, protocol, true_ratio, 0, random);
    tally.trials += static_cast<double>(decided.trials) / repetitions;
    tally.faster += decided.comparison == Comparison::kFaster;
    tally.slower += decided.comparison == Comparison::kSlower;
    tally.same += decided.comparison == Comparison::kSame;
    tally.no_verdict += decided.comparison == Comparison::kNoVerdict;
  }
  return tally;
}

int count_misses(const NoiseModel& model, const Protocol& protocol, double true_ratio, double alpha,
                 int repetitions) {
  Random random = seeded(model, true_ratio);
  int misses = 0;
  for (int i = 0; i < repetitions; ++i) {
    Run run(model, protocol, true_ratio, random);
    std::vector<double> trials(12);
    for (double& trial : trials) trial = run.next_trial();
    const Interval ratio = conclude(trials, alpha, 0, protocol.looks.same_margin).ratio;
    misses += !(ratio.low <= true_ratio && true_ratio <= ratio.high);
  }
  return misses;
}

int binomial_bound(int repetitions, double rate) {
  double log_chance = repetitions * std::log1p(-rate);  // of exactly `count`
  double tail = 1 - std::exp(log_chance);               // of more than `count`
  int count = 0;
  while (tail > 1e-3) {
    log_chance += std::log(rate / (1 - rate) * (repetitions - count) / (count + 1));
    ++count;
    tail -= std::exp(log_chance);
  }
  return count;
}

}  // namespace forge::simulation
