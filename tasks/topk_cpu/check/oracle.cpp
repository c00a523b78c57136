// The k largest of each row, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

#include <algorithm>
#include <set>

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "normally distributed elements"},
          {"ties", "few different values, constant rows, zeros of both signs"},
          {"order", "ascending and descending rows, -inf"}};
}

namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

void fill_tied_row(Case& c, const View& row, std::int64_t i) {
  const std::int64_t different = i % 3 == 0 ? 1 : c.random.below(20) + 2;
  const double constant = c.random.normal();
  for (std::int64_t j = 0; j < row.size(0); ++j) {
    row(j) = different == 1 ? constant : static_cast<double>(c.random.below(different)) - 3;
    // Zeros of either sign where the values are whole numbers.
    if (row(j) == 0 && c.random.chance(0.5)) row(j) = -0.0;
  }
}

void fill_ordered_row(Case& c, const View& row, std::int64_t i) {
  const std::int64_t cols = row.size(0);
  for (std::int64_t j = 0; j < cols; ++j) row(j) = c.random.normal();
  switch (i % 5) {
    case 0:
      for (std::int64_t j = 0; j < cols; ++j) row(j) = static_cast<double>(j) + 0.25 * row(j);
      break;
    case 1:
      for (std::int64_t j = 0; j < cols; ++j) row(j) = 0.25 * row(j) - static_cast<double>(j);
      break;
    case 2:
      row(0) = 10;
      row(cols - 1) = 20;
      break;
    case 3:
      for (std::int64_t j = 0; j < cols; ++j) row(j) = c.random.chance(0.4) ? kMasked : row(j);
      break;
    default: {
      const double finite = row(0);
      for (std::int64_t j = 0; j < cols; ++j) row(j) = kMasked;
      row(c.random.below(cols)) = finite;
    }
  }
}

Verdict compare_index(Case& c, const View&, const View& actual) {
  const View x = c.input("x");
  // The right values once more: what is expected of `index` holds one choice of many.
  std::vector<double> sorted(static_cast<std::size_t>(x.size(1)));
  for (std::int64_t i = 0; i < actual.size(0); ++i) {
    for (std::int64_t j = 0; j < x.size(1); ++j) sorted[static_cast<std::size_t>(j)] = x(i, j);
    std::partial_sort(sorted.begin(), sorted.begin() + actual.size(1), sorted.end(),
                      std::greater<>());
    std::set<std::int64_t> seen;
    for (std::int64_t j = 0; j < actual.size(1); ++j) {
      const std::string where = "row " + std::to_string(i) + ", place " + std::to_string(j);
      const auto index = static_cast<std::int64_t>(actual(i, j));
      if (index < 0 || index >= x.size(1)) {
        return {2, where + ": index " + std::to_string(index) + " is outside the row"};
      }
      if (!seen.insert(index).second) {
        return {2, where + ": index " + std::to_string(index) + " stands twice"};
      }
      if (x(i, index) != sorted[static_cast<std::size_t>(j)]) {
        return {2, where + ": the element at index " + std::to_string(index) + " is " +
                       std::to_string(x(i, index)) + ", not " +
                       std::to_string(sorted[static_cast<std::size_t>(j)])};
      }
    }
  }
  return {};
}

}  // namespace

FORGE_ORACLE_COMPARE("index", compare_index);

void inputs(Case& c) {
  const View x = c.input("x");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    if (c.group == "ties") {
      fill_tied_row(c, x.at(i), i);
    } else if (c.group == "order") {
      fill_ordered_row(c, x.at(i), i);
    } else {
      for (std::int64_t j = 0; j < x.size(1); ++j) x(i, j) = c.random.normal();
    }
  }
}

void reference(Case& c) {
  const View x = c.input("x");
  const View values = c.output("values");
  const IntView index = c.output_integers("index");
  std::vector<std::int64_t> order(static_cast<std::size_t>(x.size(1)));
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    for (std::int64_t j = 0; j < x.size(1); ++j) order[static_cast<std::size_t>(j)] = j;
    std::partial_sort(order.begin(), order.begin() + index.size(1), order.end(),
                      [&](std::int64_t a, std::int64_t b) { return x(i, a) > x(i, b); });
    for (std::int64_t j = 0; j < index.size(1); ++j) {
      index(i, j) = order[static_cast<std::size_t>(j)];
      values(i, j) = x(i, index(i, j));
    }
  }
}
