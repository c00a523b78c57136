// Student's t by way of the regularised incomplete beta function: the upper tail is
// Q(t) = I_x(dof/2, 1/2) / 2 with x = dof / (dof + t²).
#include <cmath>
#include <limits>
#include <numbers>

#include "stats/interval.h"

namespace forge {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kMaxDof = 1e7;

// log(Γ(a + 1/2) / Γ(a)). The asymptotic series is exact to 4e-15 from a = 20; below, the
// recurrence Γ(a + 1) = a Γ(a) leads there. Two lgammas would cancel for large a.
double log_gamma_step(double a) {
  double below = 0;
  for (; a < 20; a += 1) below += std::log(a / (a + 0.5));
  const double r = 1 / a;
  const double r2 = r * r;
  const double series = r * (-1.0 / 8 + r2 * (1.0 / 192 + r2 * (-1.0 / 640 + r2 * (17.0 / 14336))));
  return below + 0.5 * std::log(a) + series;
}

// The continued fraction of I_x(a, b) (NIST DLMF 8.17.22) by Lentz's method. Converges in about
// sqrt(max(a, b)) steps for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  auto safe = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double numerator = 1;
  double denominator = 1 / safe(1 - (a + b) * x / (a + 1));
  double fraction = denominator;
  for (int m = 1; m < 200'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / safe(1 + even * denominator);
    numerator = safe(1 + even / numerator);
    fraction *= denominator * numerator;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / safe(1 + odd * denominator);
    numerator = safe(1 + odd / numerator);
    const double change = denominator * numerator;
    fraction *= change;
    if (std::abs(change - 1) < kEpsilon) break;
  }
  return fraction;
}

// The distribution with one number of degrees of freedom, for t > 0.
class StudentT {
 public:
  explicit StudentT(double dof)
      : dof_(dof),
        log_beta_(0.5 * std::log(std::numbers::pi) - log_gamma_step(dof / 2)),
        log_density_scale_(-log_beta_ - 0.5 * std::log(dof)) {}

  double upper_tail(double t) const {
    const double a = dof_ / 2;
    const double x = dof_ / (dof_ + t * t);
    const double rest = t * t / (dof_ + t * t);
    const double log_x = -std::log1p(t * t / dof_);
    const double front = std::exp(a * log_x + 0.5 * std::log(rest) - log_beta_);
    if (x < (a + 1) / (a + 2.5)) return 0.5 * front / a * beta_fraction(a, 0.5, x);
    return 0.5 - 0.5 * front / 0.5 * beta_fraction(0.5, a, rest);
  }

  double density(double t) const {
    return std::exp(log_density_scale_ - (dof_ + 1) / 2 * std::log1p(t * t / dof_));
  }

 private:
  double dof_;
  double log_beta_;  // log B(dof/2, 1/2)
  double log_density_scale_;
};

// Solves upper_tail(t) = q for 0 < q < 1/2: Newton's method on log Q against log t, where tails of
// every weight are nearly straight, kept inside a bracket by bisection.
double solve_upper_tail(const StudentT& distribution, double q) {
  double low = 0;  // log t
  double high = 0;
  while (distribution.upper_tail(std::exp(high)) > q && high < 350) high += 1;
  while (distribution.upper_tail(std::exp(low)) < q && low > -50) low -= 1;
  double log_t = 0.5 * (low + high);
  for (int step = 0; step < 200; ++step) {
    const double t = std::exp(log_t);
    const double tail = distribution.upper_tail(t);
    (tail > q ? low : high) = log_t;
    double next = log_t + std::log(tail / q) * tail / (distribution.density(t) * t);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = std::abs(next - log_t);
    log_t = next;
    if (change < 4 * kEpsilon) break;
  }
  return std::exp(log_t);
}

}  // namespace

double student_t_quantile(double p, double dof) {
  if (!(p > 0 && p < 1 && dof > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0.5) return 0;
  const StudentT distribution(std::min(dof, kMaxDof));
  return p < 0.5 ? -solve_upper_tail(distribution, p) : solve_upper_tail(distribution, 1 - p);
}

}  // namespace forge
