// Quantisation to 8 bits in f64, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

#include <algorithm>
#include <cfenv>

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "normally distributed elements with outliers"},
          {"halves", "elements half-way between two integers"},
          {"structure", "groups of zeros, of very different magnitudes, the largest at an end"}};
}

namespace {

// The elements of one group of one row.
struct Part {
  View row;
  std::int64_t begin;
  std::int64_t size;
  double& operator()(std::int64_t j) const { return row(begin + j); }
};

void fill_typical(Case& c, const Part& part) {
  for (std::int64_t j = 0; j < part.size; ++j) {
    part(j) = c.random.normal() * (c.random.chance(0.01) ? 20 : 1);
  }
}

void fill_halves(Case& c, const Part& part) {
  const double scale = std::ldexp(1, static_cast<int>(c.random.below(40)) - 20);
  for (std::int64_t j = 0; j < part.size; ++j) {
    part(j) = (static_cast<double>(c.random.below(253) - 126) + 0.5) * scale;
  }
  // The largest magnitude makes the scale.
  part(c.random.below(part.size)) = (c.random.chance(0.5) ? 127 : -127) * scale;
}

void fill_structured(Case& c, const Part& part, std::int64_t number) {
  const double magnitude = std::pow(10.0, c.random.uniform(-28, 28));
  for (std::int64_t j = 0; j < part.size; ++j) part(j) = c.random.normal() * magnitude;
  if (number % 4 == 0) {
    for (std::int64_t j = 0; j < part.size; ++j) part(j) = 0;
  } else if (number % 4 == 1) {
    part(0) = 30 * magnitude;
  } else if (number % 4 == 2) {
    part(part.size - 1) = -30 * magnitude;
  }
}

double largest_magnitude(const Part& part) {
  double largest = 0;
  for (std::int64_t j = 0; j < part.size; ++j) largest = std::max(largest, std::abs(part(j)));
  return largest;
}

// Of f32 numbers; f64 holds more than twice the digits, so that rounding twice rounds as once.
double quotient_in_f32(double a, double b) { return round_to("f32", a / b); }

double scale_of(const Part& part) { return quotient_in_f32(largest_magnitude(part), 127); }

// In the default mode: to nearest, ties to even.
double nearest(double value) { return std::nearbyint(value); }

bool is_right(double x, double scale, double q) {
  if (scale == 0) return q == 0;
  const double reciprocal = quotient_in_f32(1, scale);
  // Exact in f64: both factors have 24 digits.
  const double product = x * reciprocal;
  return q == nearest(x / scale) || q == nearest(quotient_in_f32(x, scale)) ||
         q == nearest(product) || q == nearest(round_to("f32", product));
}

Verdict compare_q(Case& c, const View&, const View& actual) {
  const View x = c.input("x");
  const std::int64_t size = c.dim("group");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t begin = 0; begin < x.size(1); begin += size) {
      const double scale = scale_of({x.at(i), begin, size});
      for (std::int64_t j = begin; j < begin + size; ++j) {
        if (is_right(x(i, j), scale, actual(i, j))) continue;
        char text[160];
        std::snprintf(text, sizeof text, "[%lld, %lld]: %.9g / %.9g = %.9g became %d",
                      static_cast<long long>(i), static_cast<long long>(j), x(i, j), scale,
                      x(i, j) / scale, static_cast<int>(actual(i, j)));
        return {2, text};
      }
    }
  }
  return {};
}

}  // namespace

FORGE_ORACLE_COMPARE("q", compare_q);

void inputs(Case& c) {
  const View x = c.input("x");
  const std::int64_t size = c.dim("group");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t g = 0; g < x.size(1) / size; ++g) {
      const Part part{x.at(i), g * size, size};
      if (c.group == "halves") {
        fill_halves(c, part);
      } else if (c.group == "structure") {
        fill_structured(c, part, c.random.below(8));
      } else {
        fill_typical(c, part);
      }
    }
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const IntView q = c.output_integers("q");
  const View scale = c.output("scale");
  const std::int64_t size = c.dim("group");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t g = 0; g < scale.size(1); ++g) {
      scale(i, g) = scale_of({x.at(i), g * size, size});
      for (std::int64_t j = g * size; j < (g + 1) * size; ++j) {
        q(i, j) = scale(i, g) == 0 ? 0 : static_cast<std::int64_t>(nearest(x(i, j) / scale(i, g)));
      }
    }
  }
}
