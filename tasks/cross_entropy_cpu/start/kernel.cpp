// Cross entropy over rows of f32: a plain, right kernel with the choices that are worth trying.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "forge_args.h"

namespace {

// Maximum and sum in one pass over a row, the sum rescaled when the maximum grows:
// 0  no: the maximum first, then the sum
// 1  each lane for itself
// 2  once a block: its maximum, then its sum, while it is near
FORGE_STRUCTURE(int, kOnePass, 0, 0, 1, 2);
// While a row is summed, ask memory for the next one.
FORGE_STRUCTURE(bool, kPrefetchRow, false, false, true);
// Terms of the polynomial that approximates exp().
FORGE_STRUCTURE(int, kTerms, 7, 6, 7);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 4, 4, 8, 16);
// Vectors that are worked on at a time.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many of these make a block, whose sum is taken in f32 before it goes into one of f64.
FORGE_TUNABLE(int, kStepsPerBlock, 64, 16, 32, 64, 128);
// How many cache lines ahead of the first pass memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::int32_t IntVec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kStep = kLanes * kUnroll;
constexpr std::int64_t kBlock = kStepsPerBlock * kStep;
constexpr std::int64_t kLineFloats = 16;
// Below every finite score, and finite itself: -inf minus -inf would be NaN.
constexpr float kLowest = std::numeric_limits<float>::lowest();

Vec all(float value) { return Vec{} + value; }

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// The first `count` elements, and -inf, which adds nothing to maximum and sum.
Vec load_some(const float* p, std::int64_t count) {
  Vec v = all(-std::numeric_limits<float>::infinity());
  std::memcpy(&v, p, static_cast<std::size_t>(count < kLanes ? count : kLanes) * sizeof(float));
  return v;
}

Vec larger(Vec a, Vec b) { return a > b ? a : b; }

float largest_lane(Vec v) {
  float largest = v[0];
  for (int k = 1; k < kLanes; ++k) largest = v[k] > largest ? v[k] : largest;
  return largest;
}

double sum_of_lanes(Vec v) {
  double sum = 0;
  for (int k = 0; k < kLanes; ++k) sum += static_cast<double>(v[k]);
  return sum;
}

// exp(x) for x <= 0: 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2]; 0 where 2^n is no normal
// number.
Vec exp_of(Vec x) {
  constexpr float kLog2e = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f;  // few enough bits that its product with n is exact
  constexpr float kLn2Low = -2.12194440054690583e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: what is added to it loses its fraction
  constexpr float kSmallest = -87.3f;
  const Vec in_range = x > kSmallest ? x : all(kSmallest);
  const Vec shifted = in_range * kLog2e + kRound;
  const Vec n = shifted - kRound;
  const Vec r = (in_range - n * kLn2High) - n * kLn2Low;
  Vec p = all(1.0f / 720);
  if constexpr (kTerms == 7) p = all(1.0f / 5040) * r + p;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = (p * r) * r + r;
  const IntVec exponent = (reinterpret_cast<const IntVec&>(shifted) << 23) + (127 << 23);
  const Vec scale = reinterpret_cast<const Vec&>(exponent);
  const Vec value = p * scale + scale;
  return x > kSmallest ? value : Vec{};
}

void prefetch(const float* p, std::int64_t ahead) {
  for (std::int64_t k = 0; k < kStep; k += kLineFloats) __builtin_prefetch(p + ahead + k);
}

float maximum(const float* x, std::int64_t count) {
  Vec largest[kUnroll];
  for (Vec& v : largest) v = all(kLowest);
  std::int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if constexpr (kPrefetchLines > 0) prefetch(x + j, kPrefetchLines * kLineFloats);
    for (int u = 0; u < kUnroll; ++u) largest[u] = larger(load(x + j + u * kLanes), largest[u]);
  }
  for (; j < count; j += kLanes) largest[0] = larger(load_some(x + j, count - j), largest[0]);
  for (int u = 1; u < kUnroll; ++u) largest[0] = larger(largest[0], largest[u]);
  return largest_lane(largest[0]);
}

// Of at most a block. `next` is what is asked for meanwhile.
double sum_of_exps(const float* x, std::int64_t count, float largest, const float* next) {
  Vec sums[kUnroll] = {};
  std::int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if constexpr (kPrefetchRow) prefetch(next, j);
    for (int u = 0; u < kUnroll; ++u) sums[u] += exp_of(load(x + j + u * kLanes) - largest);
  }
  for (; j < count; j += kLanes) sums[0] += exp_of(load_some(x + j, count - j) - largest);
  double total = 0;
  for (const Vec& v : sums) total += sum_of_lanes(v);
  return total;
}

struct Row {
  float largest = kLowest;
  double sum = 0;  // of exp(x - largest)
};

void merge(Row& row, Row block) {
  const float largest = block.largest > row.largest ? block.largest : row.largest;
  row.sum = row.sum * static_cast<double>(exp_of(all(row.largest - largest))[0]) +
            block.sum * static_cast<double>(exp_of(all(block.largest - largest))[0]);
  row.largest = largest;
}

// Each lane keeps a maximum and a sum relative to it.
Row running_block(const float* x, std::int64_t count) {
  Vec largest[kUnroll];
  Vec sum[kUnroll] = {};
  for (Vec& v : largest) v = all(kLowest);
  const auto add = [&](int u, Vec v) {
    const Vec grown = larger(v, largest[u]);
    sum[u] = sum[u] * exp_of(largest[u] - grown) + exp_of(v - grown);
    largest[u] = grown;
  };
  std::int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if constexpr (kPrefetchLines > 0) prefetch(x + j, kPrefetchLines * kLineFloats);
    for (int u = 0; u < kUnroll; ++u) add(u, load(x + j + u * kLanes));
  }
  for (; j < count; j += kLanes) add(0, load_some(x + j, count - j));
  Row block;
  for (const Vec& v : largest) {
    block.largest = largest_lane(v) > block.largest ? largest_lane(v) : block.largest;
  }
  for (int u = 0; u < kUnroll; ++u) {
    block.sum += sum_of_lanes(sum[u] * exp_of(largest[u] - block.largest));
  }
  return block;
}

Row maximum_and_sum(const float* x, std::int64_t cols) {
  Row row;
  if constexpr (kOnePass == 0) row.largest = maximum(x, cols);
  for (std::int64_t j = 0; j < cols; j += kBlock) {
    const std::int64_t count = cols - j < kBlock ? cols - j : kBlock;
    if constexpr (kOnePass == 0) {
      row.sum += sum_of_exps(x + j, count, row.largest, x + cols + j);
    } else if constexpr (kOnePass == 1) {
      merge(row, running_block(x + j, count));
    } else {
      const float largest = maximum(x + j, count);
      merge(row, {largest, sum_of_exps(x + j, count, largest, x + cols + j)});
    }
  }
  return row;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, classes] = args->dims;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* x = args->x + i * classes;
    const Row row = maximum_and_sum(x, classes);
    const double log_of_sum = std::log(row.sum);
    const auto largest = static_cast<double>(row.largest);
    const std::int64_t target = args->target[i];
    args->lse[i] = static_cast<float>(largest + log_of_sum);
    args->loss[i] =
        target == args->ignored
            ? 0
            : static_cast<float>(log_of_sum + (largest - static_cast<double>(x[target])));
  }
  return 0;
}
