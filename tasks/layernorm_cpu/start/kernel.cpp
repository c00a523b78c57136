// Layer normalisation of f32 rows: a plain, right kernel with the choices that are worth trying.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "forge_args.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// Mean and variance in one sweep over a row: each block has a mean of its own, and they are merged.
// Else the mean first, then the deviations from it.
FORGE_STRUCTURE(bool, kOneSweep, false, false, true);
// Write y past the caches.
FORGE_STRUCTURE(bool, kStream, false, false, true);
// While a row is written, ask memory for the next one.
FORGE_STRUCTURE(bool, kPrefetchRow, false, false, true);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 4, 4, 8, 16);
// Vectors that are worked on at a time.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many of these are added in f32 before their sum goes into one of f64.
FORGE_TUNABLE(int, kStepsPerBlock, 64, 8, 16, 32, 64);
// How many cache lines ahead of the first sweep memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kStep = kLanes * kUnroll;
constexpr std::int64_t kBlock = kStepsPerBlock * kStep;
constexpr std::int64_t kLineFloats = 16;

Vec all(float value) { return Vec{} + value; }

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

double sum_of_lanes(Vec v) {
  double sum = 0;
  for (int k = 0; k < kLanes; ++k) sum += static_cast<double>(v[k]);
  return sum;
}

void prefetch_ahead(const float* p) {
  if constexpr (kPrefetchLines > 0) {
    for (std::int64_t k = 0; k < kStep; k += kLineFloats) {
      __builtin_prefetch(p + kPrefetchLines * kLineFloats + k);
    }
  }
}

enum class Sweep { kFirst, kLater };

// The sum of term(x[j]) over at most a block.
template <Sweep kSweep, typename Term>
double block_sum(const float* x, std::int64_t count, Term term) {
  Vec sums[kUnroll] = {};
  std::int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if constexpr (kSweep == Sweep::kFirst) prefetch_ahead(x + j);
    for (int u = 0; u < kUnroll; ++u) sums[u] += term(load(x + j + u * kLanes));
  }
  Vec rest{};
  for (; j + kLanes <= count; j += kLanes) rest += term(load(x + j));
  double total = sum_of_lanes(rest);
  for (; j < count; ++j) total += static_cast<double>(term(all(x[j]))[0]);
  for (const Vec& v : sums) total += sum_of_lanes(v);
  return total;
}

struct Moments {
  double mean = 0;
  double squares = 0;  // the sum of squared deviations from it
};

// Squares about the mean as rounded to f32, which adds a little that is known exactly.
double squares_about(const float* x, std::int64_t count, double mean) {
  const float rounded = static_cast<float>(mean);
  const double squares = block_sum<Sweep::kLater>(x, count, [rounded](Vec v) {
    const Vec d = v - rounded;
    return d * d;
  });
  const double off = mean - static_cast<double>(rounded);
  return squares - static_cast<double>(count) * off * off;
}

std::int64_t block_size(std::int64_t j, std::int64_t cols) {
  return cols - j < kBlock ? cols - j : kBlock;
}

constexpr auto kItself = [](Vec v) { return v; };

Moments two_sweeps(const float* x, std::int64_t cols) {
  Moments row;
  for (std::int64_t j = 0; j < cols; j += kBlock) {
    row.mean += block_sum<Sweep::kFirst>(x + j, block_size(j, cols), kItself);
  }
  row.mean /= static_cast<double>(cols);
  for (std::int64_t j = 0; j < cols; j += kBlock) {
    row.squares += squares_about(x + j, block_size(j, cols), row.mean);
  }
  return row;
}

// Chan, Golub and LeVeque's formula for the moments of two samples together.
Moments one_sweep(const float* x, std::int64_t cols) {
  Moments row;
  double seen = 0;
  for (std::int64_t j = 0; j < cols; j += kBlock) {
    const std::int64_t size = block_size(j, cols);
    const auto count = static_cast<double>(size);
    const double mean = block_sum<Sweep::kFirst>(x + j, size, kItself) / count;
    const double apart = mean - row.mean;
    const double share = count / (seen + count);
    row.squares += squares_about(x + j, size, mean) + apart * apart * seen * share;
    row.mean += apart * share;
    seen += count;
  }
  return row;
}

// `to` is aligned to the vector.
void store_last(float* to, Vec v) {
#if defined(__SSE2__)
  if constexpr (kStream) {
#if defined(__AVX512F__)
    if constexpr (kLanes == 16) return _mm512_stream_ps(to, reinterpret_cast<__m512&>(v));
#endif
#if defined(__AVX__)
    if constexpr (kLanes == 8) return _mm256_stream_ps(to, reinterpret_cast<__m256&>(v));
#endif
    for (int k = 0; k < kLanes; k += 4) {
      _mm_stream_ps(to + k, _mm_loadu_ps(reinterpret_cast<const float*>(&v) + k));
    }
    return;
  }
#endif
  std::memcpy(to, &v, sizeof v);
}

enum class Bias { kAbsent, kPresent };

template <Bias kBias>
void write_row(const Args& args, const float* x, float mean, float rstd, float* y) {
  const std::int64_t cols = args.dims.cols;
  const auto one = [&](std::int64_t j) {
    const float scaled = (x[j] - mean) * rstd * args.w[j];
    y[j] = kBias == Bias::kPresent ? scaled + args.b[j] : scaled;
  };
  std::int64_t j = 0;
  // Rows need not begin at a vector's boundary, and streaming does.
  if constexpr (kStream) {
    for (; j < cols && reinterpret_cast<std::uintptr_t>(y + j) % sizeof(Vec) != 0; ++j) one(j);
  }
  for (; j + kStep <= cols; j += kStep) {
    if constexpr (kPrefetchRow) {
      for (std::int64_t k = 0; k < kStep; k += kLineFloats) __builtin_prefetch(x + cols + j + k);
    }
    for (std::int64_t k = j; k < j + kStep; k += kLanes) {
      Vec scaled = (load(x + k) - mean) * rstd * load(args.w + k);
      if constexpr (kBias == Bias::kPresent) scaled += load(args.b + k);
      store_last(y + k, scaled);
    }
  }
  for (; j < cols; ++j) one(j);
}

void normalise_row(const Args& args, std::int64_t i) {
  const std::int64_t cols = args.dims.cols;
  const float* x = args.x + i * cols;
  const Moments row = kOneSweep ? one_sweep(x, cols) : two_sweeps(x, cols);
  const double variance = row.squares / static_cast<double>(cols);
  const auto mean = static_cast<float>(row.mean);
  const auto rstd = static_cast<float>(1 / std::sqrt(variance + static_cast<double>(args.eps)));
  args.mean[i] = mean;
  args.rstd[i] = rstd;
  if (args.b != nullptr) {
    write_row<Bias::kPresent>(args, x, mean, rstd, args.y + i * cols);
  } else {
    write_row<Bias::kAbsent>(args, x, mean, rstd, args.y + i * cols);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < rows; ++i) normalise_row(*args, i);
#if defined(__SSE2__)
    // Streamed lines are not ordered with what follows.
    if constexpr (kStream) _mm_sfence();
#endif
  }
  return 0;
}
