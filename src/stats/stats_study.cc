// Prints what the method does under each kind of noise: the table of docs/statistics.md.
//   stats_study [repetitions]
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "stats/simulation.h"

namespace forge::simulation {
namespace {

void print_row(const NoiseModel& model, const Protocol& protocol, int repetitions) {
  auto percent = [repetitions](int count) { return 100.0 * count / repetitions; };
  const Tally itself = tally_looks(model, protocol, 1.0, repetitions);
  const Tally three = tally_looks(model, protocol, 1.03, repetitions);
  const Tally five = tally_looks(model, protocol, 1.05, repetitions);
  const Tally minus_five = tally_looks(model, protocol, 0.95, repetitions);
  const Tally twenty = tally_looks(model, protocol, 1.2, repetitions);
  const int missed_99 = count_misses(model, protocol, 1.2, 0.01, repetitions);
  const int missed_95 = count_misses(model, protocol, 1.2, 0.05, repetitions);
  fmt::print(
      "| {} | {} | {:.2f} | {:.3f} | {:.3f} | {:.2f} | {:.2f} | {:.0f} | {:.1f} | {:.0f} | "
      "{:.1f} | {:.0f} |\n",
      model.name, protocol.pairs, percent(itself.faster + itself.slower),
      percent(five.slower + minus_five.faster) / 2, percent(three.same), percent(missed_99),
      percent(missed_95), percent(itself.same), itself.trials, percent(five.faster), five.trials,
      percent(twenty.faster));
  std::fflush(stdout);
}

void print_study(int repetitions) {
  fmt::print(
      "{} repetitions a cell; all but pairs and trials in %\n\n"
      "| noise | pairs | A/A different | ±5 % wrong sign | 3 % 'same' | miss at 99 % | "
      "miss at 95 % | A/A 'same' | trials | +5 % 'faster' | trials | +20 % 'faster' |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      repetitions);
  for (std::size_t pairs : {3, 6}) {
    for (const NoiseModel& model : noise_models()) {
      print_row(model, Protocol{.pairs = pairs}, repetitions);
    }
  }
}

}  // namespace
}  // namespace forge::simulation

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 20'000;
  if (repetitions < 1) {
    fmt::print(stderr, "usage: stats_study [repetitions]\n");
    return 1;
  }
  forge::simulation::print_study(repetitions);
}
