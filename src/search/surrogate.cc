#include "search/surrogate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"

namespace forge {
namespace {

// sd of what all points have in common.
constexpr double kLevelSd = 0.5;

// What is expected of kernels' parameters before anything was measured, as normal distributions of
// logarithms: times differ by some tens of per cent, a trial errs by some per cent.
struct Expectation {
  double centre;
  double log_sd;
};
constexpr Expectation kScale{0.3, 1.0};
constexpr Expectation kReach{0.5, 0.7};
constexpr Expectation kNoise{0.02, 1.0};
constexpr Expectation kOwn{0.015, 0.7};
constexpr Expectation kRelevance{0.6, 1.5};

double log_density(double value, const Expectation& expected) {
  const double z = std::log(value / expected.centre) / expected.log_sd;
  return -0.5 * z * z;
}

}  // namespace

Surrogate::Surrogate(std::vector<Parameter> parameters, std::vector<Sample> samples)
    : parameters_(std::move(parameters)), samples_(std::move(samples)) {
  for (const Parameter& parameter : parameters_) {
    places_.push_back(scale_of(parameter).value_or(std::vector<double>()));
  }
  beliefs_.relevance.assign(parameters_.size(), kRelevance.centre);
}

double Surrogate::likeness(std::size_t parameter, std::size_t a, std::size_t b) const {
  if (a == b) return 1;
  const auto& places = places_[parameter];
  return places.empty() ? 0 : std::exp(-std::abs(places[a] - places[b]) / beliefs_.reach);
}

double Surrogate::kernel(const Point& a, const Point& b) const {
  double product = beliefs_.scale * beliefs_.scale;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (a[p] == b[p]) continue;
    const double relevance = beliefs_.relevance[p];
    product *= (1 + relevance * likeness(p, a[p], b[p])) / (1 + relevance);
  }
  if (a == b) product += beliefs_.own * beliefs_.own;
  return product + kLevelSd * kLevelSd;
}

// Its own arm's noise and that of the start, beside which it ran.
double Surrogate::noise_variance(int trials) const {
  return 2 * beliefs_.noise * beliefs_.noise / trials;
}

Matrix Surrogate::covariance() const {
  Matrix matrix(samples_.size());
  const double shared = beliefs_.noise * beliefs_.noise;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Sample& a = samples_[i];
      const Sample& b = samples_[j];
      double value = kernel(a.point, b.point);
      if (i == j) {
        value += noise_variance(a.trials) * a.slope * a.slope + 1e-9;
      } else if (a.job == b.job) {
        value += shared * a.slope * b.slope / std::max(a.trials, b.trials);
      }
      matrix.at(i, j) = value;
    }
  }
  return matrix;
}

bool Surrogate::refactorise() {
  factor_ = covariance();
  if (!factorise(factor_)) return false;
  solved_.clear();
  for (const Sample& sample : samples_) solved_.push_back(sample.value);
  solve_lower(factor_, solved_);
  return true;
}

double Surrogate::log_posterior() {
  if (!refactorise()) return -std::numeric_limits<double>::infinity();
  double total = -0.5 * std::inner_product(solved_.begin(), solved_.end(), solved_.begin(), 0.0) -
                 0.5 * log_determinant(factor_);
  total += log_density(beliefs_.scale, kScale) + log_density(beliefs_.reach, kReach) +
           log_density(beliefs_.noise, kNoise) + log_density(beliefs_.own, kOwn);
  for (const double relevance : beliefs_.relevance) total += log_density(relevance, kRelevance);
  return total;
}

// Up the posterior, one coordinate at a time, in steps that shrink.
void Surrogate::climb() {
  std::vector<double*> coordinates = {&beliefs_.scale, &beliefs_.reach, &beliefs_.noise,
                                      &beliefs_.own};
  for (double& relevance : beliefs_.relevance) coordinates.push_back(&relevance);
  double best = log_posterior();
  constexpr double kFirstStep = 1.0;
  constexpr double kLastStep = 0.12;
  for (double step = kFirstStep; step > kLastStep;) {
    bool moved = false;
    for (double* coordinate : coordinates) {
      const double before = *coordinate;
      for (const double direction : {step, -step}) {
        *coordinate = before * std::exp(direction);
        const double tried = log_posterior();
        if (tried > best) {
          best = tried;
          moved = true;
          break;
        }
        *coordinate = before;
      }
    }
    if (!moved) step /= 2;
  }
}

void Surrogate::fit() {
  climb();
  const bool whole = refactorise();
  FORGE_CHECK(whole);  // it was, for the beliefs that climb() kept
}

std::vector<double> Surrogate::half_solved(const Point& point) const {
  std::vector<double> values;
  values.reserve(samples_.size());
  for (const Sample& sample : samples_) values.push_back(kernel(sample.point, point));
  solve_lower(factor_, values);
  return values;
}

double Surrogate::mean(const std::vector<double>& half_solved) const {
  return std::inner_product(half_solved.begin(), half_solved.end(), solved_.begin(), 0.0);
}

}  // namespace forge
