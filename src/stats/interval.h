// Estimates and intervals over trials. Pure; knows no file and no unit. Source of the methods:
// docs/statistics.md.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace forge {

// An estimate with its two-sided interval, on whatever scale the samples were.
struct Interval {
  double point = 0;
  double low = 0;
  double high = 0;
};

// Mean of the values left after dropping the floor(fraction·n) smallest and largest. NaN if empty
// or if any value is NaN. Requires 0 <= fraction < 0.5.
double trimmed_mean(std::span<const double> values, double fraction);

double mean(std::span<const double> values);       // NaN if empty
double median(std::span<const double> values);     // NaN if empty or if any value is NaN
double sample_sd(std::span<const double> values);  // 0 for fewer than two values

// Quantile of Student's t with `dof` degrees of freedom at probability p in (0, 1). Relative error
// below 1e-8 up to a dof of 1e7; more count as 1e7. NaN outside the domain.
double student_t_quantile(double p, double dof);

// mean ± t(1 - alpha/2, n-1) · max(sd, minimum_sd) / sqrt(n). Requires n >= 2.
Interval student_t_interval(std::span<const double> trials, double alpha, double minimum_sd);

// exp of point and ends: from log ratios to ratios.
Interval exponentiate(const Interval& log_interval);

// "3.42x [3.30, 3.55]"
std::string ratio_text(const Interval& ratio);

}  // namespace forge
