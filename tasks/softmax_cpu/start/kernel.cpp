// Softmax over rows of f32: a plain, right kernel with the choices that are worth trying.
#include <cstdint>
#include <cstring>
#include <limits>

#include "forge_args.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// How a row is gone through:
// 0  its maximum; its exponentials into y and their sum; y times 1/sum
// 1  its maximum; the sum of its exponentials; its exponentials anew, times 1/sum, into y
// 2  maximum and sum at once, the sum rescaled when the maximum grows; then as 1
FORGE_STRUCTURE(int, kPasses, 0, 0, 1, 2);
// Write y past the caches in the last pass.
FORGE_STRUCTURE(bool, kStream, false, false, true);
// While a row is written, ask memory for the next one.
FORGE_STRUCTURE(bool, kPrefetchRow, false, false, true);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 4, 4, 8, 16);
// Vectors that are worked on at a time.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many cache lines ahead of the first pass memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::int32_t IntVec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kStep = kLanes * kUnroll;
constexpr std::int64_t kLineFloats = 16;
// So many elements are added in f32 before their sum goes into one of f64: a long row's sum would
// otherwise lose a digit.
constexpr std::int64_t kBlock = 64 * kStep;
// Below every finite input, and finite itself: -inf minus -inf would be NaN.
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
  std::memcpy(&v, p, static_cast<std::size_t>(count) * sizeof(float));
  return v;
}

void store(float* p, Vec v) { std::memcpy(p, &v, sizeof v); }

void store_some(float* p, Vec v, std::int64_t count) {
  std::memcpy(p, &v, static_cast<std::size_t>(count) * sizeof(float));
}

// `p` is aligned to the vector.
void store_last(float* p, Vec v) {
  if constexpr (!kStream) {
    store(p, v);
  } else {
#if defined(__AVX512F__)
    if constexpr (kLanes == 16) return _mm512_stream_ps(p, reinterpret_cast<__m512&>(v));
#endif
#if defined(__AVX__)
    if constexpr (kLanes == 8) return _mm256_stream_ps(p, reinterpret_cast<__m256&>(v));
#endif
#if defined(__SSE2__)
    for (int k = 0; k < kLanes; k += 4) {
      _mm_stream_ps(p + k, _mm_loadu_ps(reinterpret_cast<const float*>(&v) + k));
    }
#else
    store(p, v);
#endif
  }
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
  Vec p = all(1.0f / 5040);
  p = p * r + 1.0f / 720;
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

void prefetch_ahead(const float* p) {
  if constexpr (kPrefetchLines > 0) {
    for (std::int64_t k = 0; k < kStep; k += kLineFloats) {
      __builtin_prefetch(p + kPrefetchLines * kLineFloats + k);
    }
  }
}

float maximum(const float* x, std::int64_t cols) {
  Vec largest[kUnroll];
  for (Vec& v : largest) v = all(kLowest);
  std::int64_t j = 0;
  for (; j + kStep <= cols; j += kStep) {
    prefetch_ahead(x + j);
    for (int u = 0; u < kUnroll; ++u) largest[u] = larger(load(x + j + u * kLanes), largest[u]);
  }
  for (; j < cols; j += kLanes) {
    largest[0] = larger(load_some(x + j, cols - j < kLanes ? cols - j : kLanes), largest[0]);
  }
  for (int u = 1; u < kUnroll; ++u) largest[0] = larger(largest[0], largest[u]);
  return largest_lane(largest[0]);
}

// The sum of exp(x - largest); with kPasses 0 the terms go into y.
double sum_of_exps(const float* x, float* y, std::int64_t cols, float largest) {
  double total = 0;
  std::int64_t j = 0;
  while (j + kStep <= cols) {
    const std::int64_t end = cols - j < kBlock ? cols : j + kBlock;
    Vec sums[kUnroll] = {};
    for (; j + kStep <= end; j += kStep) {
      for (int u = 0; u < kUnroll; ++u) {
        const Vec term = exp_of(load(x + j + u * kLanes) - largest);
        if constexpr (kPasses == 0) store(y + j + u * kLanes, term);
        sums[u] += term;
      }
    }
    for (const Vec& v : sums) total += sum_of_lanes(v);
  }
  for (; j < cols; j += kLanes) {
    const std::int64_t count = cols - j < kLanes ? cols - j : kLanes;
    const Vec term = exp_of(load_some(x + j, count) - largest);
    if constexpr (kPasses == 0) store_some(y + j, term, count);
    total += sum_of_lanes(term);
  }
  return total;
}

struct Row {
  float largest;
  double sum;
};

// Each lane keeps a maximum and a sum relative to it.
struct Running {
  Vec largest = all(kLowest);
  Vec sum = {};
  void add(Vec x) {
    const Vec grown = larger(x, largest);
    sum = sum * exp_of(largest - grown) + exp_of(x - grown);
    largest = grown;
  }
};

// Adds what a block found to what the row's beginning had.
void merge(Row& row, const Running& block) {
  float largest = largest_lane(block.largest);
  if (largest < row.largest) largest = row.largest;
  row.sum *= static_cast<double>(exp_of(all(row.largest - largest))[0]);
  row.sum += sum_of_lanes(block.sum * exp_of(block.largest - largest));
  row.largest = largest;
}

Row maximum_and_sum(const float* x, std::int64_t cols) {
  Row row{kLowest, 0};
  std::int64_t j = 0;
  while (j + kStep <= cols) {
    const std::int64_t end = cols - j < kBlock ? cols : j + kBlock;
    Running running[kUnroll];
    for (; j + kStep <= end; j += kStep) {
      prefetch_ahead(x + j);
      for (int u = 0; u < kUnroll; ++u) running[u].add(load(x + j + u * kLanes));
    }
    for (const Running& block : running) merge(row, block);
  }
  Running rest;
  for (; j < cols; j += kLanes) {
    rest.add(load_some(x + j, cols - j < kLanes ? cols - j : kLanes));
  }
  merge(row, rest);
  return row;
}

Vec finished(Vec x_or_term, float largest, float factor) {
  return (kPasses == 0 ? x_or_term : exp_of(x_or_term - largest)) * factor;
}

// The last pass: from y itself (kPasses 0) or from x.
void write_row(const float* x, float* y, std::int64_t cols, float largest, float factor) {
  const float* from = kPasses == 0 ? y : x;
  std::int64_t j = 0;
  // Rows need not begin at a vector's boundary.
  const auto address = reinterpret_cast<std::uintptr_t>(y);
  const auto beyond = static_cast<std::int64_t>(address % sizeof(Vec) / sizeof(float));
  if (kStream && beyond != 0) {
    j = cols < kLanes - beyond ? cols : kLanes - beyond;
    store_some(y, finished(load_some(from, j), largest, factor), j);
  }
  for (; j + kStep <= cols; j += kStep) {
    if constexpr (kPrefetchRow) {
      for (std::int64_t k = 0; k < kStep; k += kLineFloats) __builtin_prefetch(x + cols + j + k);
    }
    for (int u = 0; u < kUnroll; ++u) {
      store_last(y + j + u * kLanes, finished(load(from + j + u * kLanes), largest, factor));
    }
  }
  for (; j < cols; j += kLanes) {
    const std::int64_t count = cols - j < kLanes ? cols - j : kLanes;
    store_some(y + j, finished(load_some(from + j, count), largest, factor), count);
  }
}

void softmax_row(const float* x, float* y, std::int64_t cols) {
  Row row{};
  if constexpr (kPasses == 2) {
    row = maximum_and_sum(x, cols);
  } else {
    row.largest = maximum(x, cols);
    row.sum = sum_of_exps(x, y, cols, row.largest);
  }
  write_row(x, y, cols, row.largest, static_cast<float>(1 / row.sum));
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
  const std::int64_t cols = args->dims.cols;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < rows; ++i) {
      softmax_row(args->x + i * cols, args->y + i * cols, cols);
    }
#if defined(__SSE2__)
    // Streamed lines are not ordered with what follows.
    if constexpr (kStream) _mm_sfence();
#endif
  }
  return 0;
}
