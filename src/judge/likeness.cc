#include "judge/likeness.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forge {
namespace {

constexpr std::int64_t kElements = 4096;   // sampled of each input, over all cases
constexpr std::int64_t kRows = 256;        // the same
constexpr std::int64_t kRowLooked = 4096;  // elements of a row that are looked at
constexpr std::size_t kEnough = 256;       // values without which likeness proves nothing
constexpr std::size_t kFeatures = 7;       // of an input; its values are the first

class Elements {
 public:
  explicit Elements(const Source& source) : source_(&source) {
    const auto& shape = source.layout.shape;
    columns_ = shape.empty() ? 1 : shape.back();
    rows_ = columns_ == 0 ? 0 : source.layout.elements() / columns_;
  }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  double at(std::int64_t row, std::int64_t column) const {
    const TensorLayout& layout = source_->layout;
    std::int64_t offset = layout.shape.empty() ? 0 : column * layout.strides.back();
    for (std::size_t d = layout.shape.size(); d > 1; --d) {
      offset += row % layout.shape[d - 2] * layout.strides[d - 2];
      row /= layout.shape[d - 2];
    }
    const auto width = static_cast<std::int64_t>(dtype_bytes(layout.dtype));
    const double value = decode_element(layout.dtype, source_->first + offset * width);
    // A NaN has no place in an order; whether there is one is what matters.
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  }

 private:
  const Source* source_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
};

std::int64_t below(std::int64_t bound, Random& random) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

// Equal infinities are no distance apart.
double difference(double a, double b) { return a == b ? 0 : a - b; }

void sample_elements(const Elements& tensor, std::int64_t most, Random& random,
                     std::vector<double>* features) {
  const std::int64_t count = std::min(most, tensor.rows() * tensor.columns());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = below(tensor.rows(), random);
    const std::int64_t column = below(tensor.columns(), random);
    const double value = tensor.at(row, column);
    features[0].push_back(value);
    if (column + 1 < tensor.columns()) {
      features[1].push_back(difference(tensor.at(row, column + 1), value));
    }
    if (row + 1 < tensor.rows()) {
      features[2].push_back(difference(tensor.at(row + 1, column), value));
    }
  }
}

// Of a row's first elements: ties are structure that few other statistics see.
double distinct_values(const Elements& tensor, std::int64_t row) {
  constexpr std::int64_t kLooked = 64;
  std::vector<double> values;
  for (std::int64_t column = 0; column < std::min(tensor.columns(), kLooked); ++column) {
    values.push_back(tensor.at(row, column));
  }
  std::sort(values.begin(), values.end());
  const auto end = std::unique(values.begin(), values.end());
  return static_cast<double>(end - values.begin());
}

void sample_rows(const Elements& tensor, std::int64_t most, Random& random,
                 std::vector<double>* features) {
  const std::int64_t columns = std::min(tensor.columns(), kRowLooked);
  const std::int64_t rows = std::min(tensor.rows(), most);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = below(tensor.rows(), random);
    double largest = 0;
    double sum = 0;
    std::int64_t where = 0;
    for (std::int64_t column = 0; column < columns; ++column) {
      const double magnitude = std::abs(tensor.at(row, column));
      sum += magnitude;
      if (magnitude <= largest) continue;
      largest = magnitude;
      where = column;
    }
    features[0].push_back(largest);
    features[1].push_back(sum / static_cast<double>(columns));
    features[2].push_back(static_cast<double>(where));
    features[3].push_back(distinct_values(tensor, row));
  }
}

// The largest distance between two empirical distributions; both sorted and not empty.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  double largest = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                         static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return largest;
}

// Kolmogorov's asymptotic critical value at an error of 1e-5: a problem has some dozens of
// features.
bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kCritical = 2.47;  // sqrt(-ln(1e-5 / 2) / 2)
  const double n = static_cast<double>(a.size());
  const double m = static_cast<double>(b.size());
  return distance(a, b) > kCritical * std::sqrt((n + m) / (n * m));
}

}  // namespace

GroupFeatures features_of(const std::vector<std::vector<Source>>& cases, std::string settings,
                          Random& random) {
  GroupFeatures result{std::move(settings), {}};
  if (cases.empty()) return result;
  result.samples.resize(kFeatures * cases.front().size());
  const auto share = [&](std::int64_t most) {
    return std::max<std::int64_t>(1, most / static_cast<std::int64_t>(cases.size()));
  };
  for (const std::vector<Source>& inputs : cases) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Elements tensor(inputs[i]);
      if (tensor.rows() == 0) continue;
      std::vector<double>* features = &result.samples[kFeatures * i];
      sample_elements(tensor, share(kElements), random, features);
      sample_rows(tensor, share(kRows), random, features + 3);
    }
  }
  for (auto& samples : result.samples) std::sort(samples.begin(), samples.end());
  return result;
}

Likeness likeness_of(const GroupFeatures& a, const GroupFeatures& b) {
  if (a.settings != b.settings || a.samples.size() != b.samples.size()) return Likeness::kDifferent;
  bool told = !a.samples.empty();
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    if (i % kFeatures == 0) {
      told = told && std::min(a.samples[i].size(), b.samples[i].size()) >= kEnough;
    }
    if (a.samples[i].empty() || b.samples[i].empty()) continue;
    if (differ(a.samples[i], b.samples[i])) return Likeness::kDifferent;
  }
  return told ? Likeness::kAlike : Likeness::kUnknown;
}

}  // namespace forge
