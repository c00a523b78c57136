// Whether the tolerance tells honest kernels from wrong ones, whatever the dtype and rank: sums in
// every order that kernels use pass beside a plain loop, and each fault that kernels have fails.
// The same with real kernels, compilers and problems: tests/kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "judge/compare.h"
#include "judge/mutants.h"
#include "judge/tolerance.h"

namespace forge {
namespace {

using Values = std::vector<double>;
constexpr std::size_t kDepth = 250;  // terms of a sum
constexpr std::size_t kTile = 16;    // outputs

double rounded(Dtype dtype, double value) {
  std::byte bytes[8];
  encode_element(dtype, value, bytes);
  return decode_element(dtype, bytes);
}

// What honest kernels sum in: f32, or f64 for f64.
Dtype accumulator_of(Dtype dtype) { return dtype == Dtype::kF64 ? Dtype::kF64 : Dtype::kF32; }

// Half the digits, or fewer.
Dtype narrower(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64:
      return Dtype::kF32;
    case Dtype::kF32:
      return Dtype::kBf16;
    default:
      return dtype;  // of its own 16 or 8 bits, which hold no sum of 250 terms
  }
}

// One sum, in some order and precision.
using Sum = std::function<double(const Values& x, const Values& w, Dtype in)>;

double plain(const Values& x, const Values& w, Dtype in) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum = rounded(in, sum + rounded(in, x[i] * w[i]));
  return sum;
}

double backwards(const Values& x, const Values& w, Dtype in) {
  return plain({x.rbegin(), x.rend()}, {w.rbegin(), w.rend()}, in);
}

// One rounding a term. An f64's product and sum are rounded once as well by fma.
double fused(const Values& x, const Values& w, Dtype in) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum = rounded(in, std::fma(x[i], w[i], sum));
  return sum;
}

double pairwise(const Values& terms, Dtype in) {
  if (terms.size() == 1) return terms.front();
  const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
  return rounded(in, pairwise({terms.begin(), middle}, in) + pairwise({middle, terms.end()}, in));
}

Values products(const Values& x, const Values& w, Dtype in) {
  Values terms;
  for (std::size_t i = 0; i < x.size(); ++i) terms.push_back(rounded(in, x[i] * w[i]));
  return terms;
}

// Partial sums of every `lanes`-th term, or of blocks of so many, added up at the end.
Sum in_lanes(std::size_t lanes) {
  return [lanes](const Values& x, const Values& w, Dtype in) {
    Values sums(lanes, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sums[i % lanes] = rounded(in, sums[i % lanes] + rounded(in, x[i] * w[i]));
    }
    return pairwise(sums, in);
  };
}
Sum in_blocks(std::size_t block) {
  return [block](const Values& x, const Values& w, Dtype in) {
    const Values terms = products(x, w, in);
    double total = 0;
    for (std::size_t first = 0; first < terms.size(); first += block) {
      double sum = 0;
      for (std::size_t i = first; i < std::min(first + block, terms.size()); ++i) {
        sum = rounded(in, sum + terms[i]);
      }
      total = rounded(in, total + sum);
    }
    return total;
  };
}

struct Named {
  const char* name;
  Sum sum;
};
const Named kHonest[] = {
    {"backwards", backwards},
    {"fused", fused},
    {"4 lanes", in_lanes(4)},
    {"8 lanes", in_lanes(8)},
    {"16 lanes", in_lanes(16)},
    {"blocks of 32", in_blocks(32)},
    {"blocks of 7", in_blocks(7)},
    {"pairwise",
     [](const Values& x, const Values& w, Dtype in) { return pairwise(products(x, w, in), in); }},
};

// Groups of inputs: terms alike, or a last term that is most of the sum.
enum class Terms { kAlike, kLastDominates };

// Each output is a sum of products of its own x with one w.
struct Case {
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::vector<Values> x;
  Values w;

  Case(Dtype type, std::vector<std::int64_t> extents, Terms terms_are, std::uint64_t seed)
      : dtype(type), shape(std::move(extents)) {
    Random random(seed);
    std::int64_t outputs = 1;
    for (const std::int64_t extent : shape) outputs *= extent;
    const auto term = [&] { return rounded(dtype, 0.5 + random.uniform()); };
    for (std::size_t k = 0; k < kDepth; ++k) w.push_back(term());
    for (std::int64_t i = 0; i < outputs; ++i) {
      // So that no output resembles its neighbour.
      const double scale = (i % 2 == 0 ? 1 : -1) * std::ldexp(1.0, static_cast<int>(i % 3) - 9);
      Values terms;
      for (std::size_t k = 0; k < kDepth; ++k) terms.push_back(rounded(dtype, scale * term()));
      if (terms_are == Terms::kLastDominates) terms.back() = rounded(dtype, scale * 4 * kDepth);
      x.push_back(std::move(terms));
    }
  }

  Values outputs(const Sum& sum, Dtype in) const {
    Values out;
    for (const Values& terms : x) out.push_back(sum(terms, w, in));
    return out;
  }
  // What the oracle says: in f64, or better for f64.
  Values exact() const {
    return outputs(
        [](const Values& a, const Values& b, Dtype) {
          long double sum = 0;
          for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
          return static_cast<double>(sum);
        },
        dtype);
  }
};

std::vector<std::byte> encoded(Dtype dtype, const Values& values) {
  std::vector<std::byte> bytes(values.size() * dtype_bytes(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    encode_element(dtype, values[i], bytes.data() + i * dtype_bytes(dtype));
  }
  return bytes;
}

// Errs as the rule measures.
double worst_error(Dtype dtype, const std::vector<std::int64_t>& shape, const Values& exact,
                   const Values& got) {
  const auto expected = encoded(expected_dtype(dtype), exact);
  const auto actual = encoded(dtype, got);
  return compare_output(TensorLayout::contiguous(dtype, shape), actual.data(), expected,
                        row_scales(dtype, shape, expected), 0)
      .worst_error;
}

struct Kind {
  Dtype dtype;
  std::vector<std::int64_t> shape;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const Dtype dtype : all_dtypes()) {
    if (!is_float(dtype)) continue;
    for (const auto& shape :
         std::vector<std::vector<std::int64_t>>{{}, {67}, {3, 67}, {2, 3, 35}, {2, 2, 2, 35}}) {
      all.push_back({dtype, shape});
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Kind>& info) {
  return std::string(dtype_name(info.param.dtype)) + "_rank_" +
         std::to_string(info.param.shape.size());
}

class ToleranceStudy : public testing::TestWithParam<Kind> {
 protected:
  static constexpr std::uint64_t kFresh = 1000;

  Dtype dtype() const { return GetParam().dtype; }
  const std::vector<std::int64_t>& shape() const { return GetParam().shape; }
  Dtype accumulator() const { return accumulator_of(dtype()); }

  // As alignment does it: small outputs get more seeds.
  void SetUp() override {
    allowed_ = calibrated(Terms::kAlike);
    allowed_with_dominant_ = calibrated(Terms::kLastDominates);
  }

  double calibrated(Terms terms) const {
    const std::uint64_t seeds = shape().empty() ? 32 : 3;
    double worst = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Case made(dtype(), shape(), terms, seed);
      worst = std::max(
          worst, worst_error(dtype(), shape(), made.exact(), made.outputs(plain, accumulator())));
    }
    EXPECT_LT(worst, alignment_limit(dtype()));
    return calibrate(worst, dtype(), nullptr);
  }

  double error(const Values& exact, const Values& got) const {
    return worst_error(dtype(), shape(), exact, got);
  }
  void expect_wrong(const char* fault, const Values& exact, const Values& got) const {
    EXPECT_GT(error(exact, got), allowed_) << fault;
  }
  void expect_wrong_too(const char* fault, const Values& exact, const Values& got) const {
    EXPECT_GT(error(exact, got), allowed_with_dominant_) << fault;
  }

  double allowed_ = 0;
  double allowed_with_dominant_ = 0;
};

TEST_P(ToleranceStudy, SumsInEveryHonestOrderPass) {
  for (std::uint64_t seed = kFresh; seed < kFresh + 4; ++seed) {
    const Case made(dtype(), shape(), Terms::kAlike, seed);
    const Values exact = made.exact();
    for (const Named& honest : kHonest) {
      EXPECT_LE(error(exact, made.outputs(honest.sum, accumulator())), allowed_) << honest.name;
    }
  }
}

// A sum that begins with a term as large as all the rest rounds each of the others at that size,
// and errs more than a plain loop that ends with it. The rule is not wide enough for that one order
// where an accumulator has no digits more than its output: a known limit.
TEST_P(ToleranceStudy, SumsInHonestOrdersPassBesideADominantTermUnlessTheyBeginWithIt) {
  for (std::uint64_t seed = kFresh; seed < kFresh + 4; ++seed) {
    const Case made(dtype(), shape(), Terms::kLastDominates, seed);
    const Values exact = made.exact();
    for (const Named& honest : kHonest) {
      const bool begins_with_it = std::string_view(honest.name) == "backwards";
      if (begins_with_it && dtype_bytes(dtype()) >= 4) continue;
      EXPECT_LE(error(exact, made.outputs(honest.sum, accumulator())), allowed_with_dominant_)
          << honest.name;
    }
  }
}

TEST_P(ToleranceStudy, FaultsOfWholeParts) {
  const Case made(dtype(), shape(), Terms::kAlike, kFresh);
  const Values exact = made.exact();
  const Values right = made.outputs(plain, accumulator());
  const std::size_t row = shape().empty() ? 1 : static_cast<std::size_t>(shape().back());
  Values row_missing = right;
  std::fill(row_missing.end() - static_cast<std::ptrdiff_t>(row), row_missing.end(), 0);
  expect_wrong("a row is missing", exact, row_missing);
  Values tile_missing = right;
  const auto tile = static_cast<std::ptrdiff_t>(std::min(kTile, right.size()));
  std::fill(tile_missing.end() - tile, tile_missing.end(), 0);
  expect_wrong("the last tile is missing", exact, tile_missing);
  for (std::size_t i = 0; i < right.size(); i += 1 + right.size() / 5) {
    Values one_off = right;
    one_off[i] *= 3;
    expect_wrong("one element is off", exact, one_off);
  }
}

TEST_P(ToleranceStudy, OffByOneAtTheEdges) {
  const Case made(dtype(), shape(), Terms::kLastDominates, kFresh);
  const Values exact = made.exact();
  expect_wrong_too("the last term is left out", exact,
                   made.outputs([](const Values& x, const Values& w,
                                   Dtype in) { return plain({x.begin(), x.end() - 1}, w, in); },
                                accumulator()));
  if (exact.size() == 1) return;
  Values shifted = made.outputs(plain, accumulator());
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  expect_wrong_too("all outputs are shifted by one", exact, shifted);
  Values edge = made.outputs(plain, accumulator());
  edge.back() = edge[edge.size() - 2];
  expect_wrong_too("the last output is its neighbour", exact, edge);
}

// An 8-bit type is so coarse that a rounding more hides in its tolerance; a sum that stops growing
// does not.
TEST_P(ToleranceStudy, NarrowerAccumulation) {
  Case made(dtype(), shape(), Terms::kLastDominates, kFresh);
  for (Values& terms : made.x) std::swap(terms.front(), terms.back());  // the large one first
  std::swap(made.w.front(), made.w.back());
  // Many terms, each less than half of the narrow type's last digit beside the first.
  const double lost = 0.12 * tolerance_floor(narrower(dtype()));
  for (Values& terms : made.x) {
    for (std::size_t k = 1; k < kDepth; ++k) terms[k] = rounded(dtype(), terms[0] * lost);
  }
  expect_wrong_too("narrower", made.exact(), made.outputs(plain, narrower(dtype())));
}

// A row of small values and a huge one, of which a kernel wrote the huge one alone.
TEST_P(ToleranceStudy, SmallElementsBesideAHugeOne) {
  if (shape().empty()) return;  // a row of one has no small ones
  const Case made(dtype(), shape(), Terms::kAlike, kFresh);
  Values exact;
  for (std::size_t i = 0; i < made.x.size(); ++i) {
    exact.push_back(rounded(dtype(), i % static_cast<std::size_t>(shape().back()) == 5
                                         ? (dtype() == Dtype::kF8E4m3 ? 448 : 1e4)
                                         : made.w[i % kDepth]));
  }
  Values huge_only = exact;
  for (double& value : huge_only) value = value < 100 ? 0 : value;
  expect_wrong("the small ones are lost", exact, huge_only);
}

// exp(x) / sum(exp(x)) overflows where exp(x - max) does not.
TEST_P(ToleranceStudy, MissingMaxSubtraction) {
  const Case made(dtype(), shape(), Terms::kAlike, kFresh);
  const auto in = [this](double value) { return rounded(accumulator(), value); };
  const auto softmax = [&](double shift) {
    Values out(made.x.size());
    const std::size_t row = shape().empty() ? 1 : static_cast<std::size_t>(shape().back());
    for (std::size_t first = 0; first < out.size(); first += row) {
      double sum = 0;
      for (std::size_t i = first; i < first + row; ++i) {
        out[i] = in(std::exp(1000 + made.w[i % kDepth] - shift));
        sum = in(sum + out[i]);
      }
      for (std::size_t i = first; i < first + row; ++i) out[i] = in(out[i] / sum);
    }
    return out;
  };
  const Values right = softmax(1002);
  EXPECT_LE(error(right, right), tolerance_floor(dtype()));
  EXPECT_TRUE(std::isinf(error(right, softmax(0))));
}

INSTANTIATE_TEST_SUITE_P(Of, ToleranceStudy, testing::ValuesIn(kinds()), name_of);

}  // namespace
}  // namespace forge
