// The machine's own spread and the noise floor. Pure.
#pragma once

#include <span>

namespace forge {

// Standard deviation of A/A trial values (log ratios of an arm against itself), about 0 and not
// about their mean, since their true mean is known.
double machine_sd(std::span<const double> log_ratios_of_itself);

// Largest relative spread of same-job batches of A/A ratios, (max - min) / median, at least
// `minimum`. Requires at least two batches.
double noise_floor(std::span<const double> batch_ratios, double minimum = 0.015);

// A/A batches far off (their interval excludes 1 by more than the floor) twice in a row void a job.
// A batch without a positive finite ratio counts as far off.
bool machine_is_unsteady(std::span<const double> batch_ratios, double floor);

}  // namespace forge
