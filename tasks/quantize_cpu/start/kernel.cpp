// Quantisation to 8 bits with a scale for each group: a plain, right kernel with the choices that
// are worth trying.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "forge_args.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// Vectors by hand instead of what the compiler makes of loops.
FORGE_STRUCTURE(bool, kVectors, false, false, true);
// Multiply with the scale's reciprocal instead of dividing by the scale.
FORGE_STRUCTURE(bool, kReciprocal, false, false, true);
// Round by adding a number whose last bit is 1, instead of by a conversion to integer.
FORGE_STRUCTURE(bool, kRoundByAdding, false, false, true);
// Write q past the caches.
FORGE_STRUCTURE(bool, kStream, false, false, true);
// Elements in a vector.
FORGE_TUNABLE(int, kLanes, 16, 16, 32, 64);
// Vectors whose largest magnitudes are found together.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many cache lines ahead of the first pass memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t IntVec __attribute__((vector_size(kLanes * 4)));
typedef std::int8_t ByteVec __attribute__((vector_size(kLanes)));

constexpr std::int64_t kLineFloats = 16;
// 1.5 * 2^23: what is added to it loses its fraction, to nearest, ties to even, and stands as an
// integer in the lower bits.
constexpr float kRound = 12582912.0f;

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

float largest_magnitude_plain(const float* x, std::int64_t count) {
  float largest = 0;
  for (std::int64_t j = 0; j < count; ++j) largest = std::fmax(largest, std::fabs(x[j]));
  return largest;
}

float largest_magnitude(const float* x, std::int64_t count) {
  if constexpr (!kVectors) return largest_magnitude_plain(x, count);
  constexpr std::int64_t kStep = kLanes * kUnroll;
  Vec largest[kUnroll] = {};
  std::int64_t j = 0;
  for (; j + kStep <= count; j += kStep) {
    if constexpr (kPrefetchLines > 0) {
      for (std::int64_t k = 0; k < kStep; k += kLineFloats) {
        __builtin_prefetch(x + j + kPrefetchLines * kLineFloats + k);
      }
    }
    for (int u = 0; u < kUnroll; ++u) {
      const Vec v = load(x + j + u * kLanes);
      const Vec magnitude = v < 0 ? -v : v;
      largest[u] = magnitude > largest[u] ? magnitude : largest[u];
    }
  }
  float result = largest_magnitude_plain(x + j, count - j);
  for (const Vec& v : largest) {
    for (int lane = 0; lane < kLanes; ++lane) result = v[lane] > result ? v[lane] : result;
  }
  return result;
}

// By what elements are divided or, with kReciprocal, multiplied.
template <typename Number>
Number scaled(Number x, float by) {
  return kReciprocal ? x * by : x / by;
}

std::int8_t quantised(float x, float by) {
  return static_cast<std::int8_t>(std::lrint(scaled(x, by)));
}

ByteVec quantised(Vec x, float by) {
  const Vec value = scaled(x, by);
  const Vec shifted = value + kRound;
  if constexpr (kRoundByAdding) {
    return __builtin_convertvector(reinterpret_cast<const IntVec&>(shifted), ByteVec);
  } else {
    // A conversion cuts off; what is converted is whole already.
    return __builtin_convertvector(__builtin_convertvector(shifted - kRound, IntVec), ByteVec);
  }
}

void store(std::int8_t* to, ByteVec v) {
#if defined(__SSE2__)
  if constexpr (kStream) {
    if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
      for (std::size_t k = 0; k < sizeof v / 16; ++k) {
        __m128i part;
        std::memcpy(&part, reinterpret_cast<const char*>(&v) + 16 * k, sizeof part);
        _mm_stream_si128(reinterpret_cast<__m128i*>(to) + k, part);
      }
      return;
    }
  }
#endif
  std::memcpy(to, &v, sizeof v);
}

void quantise_group(const float* x, std::int64_t count, float* scale, std::int8_t* q) {
  *scale = largest_magnitude(x, count) / 127.0f;
  if (*scale == 0) {
    std::memset(q, 0, static_cast<std::size_t>(count));
    return;
  }
  const float by = kReciprocal ? 1.0f / *scale : *scale;
  std::int64_t j = 0;
  if constexpr (kVectors) {
    for (; j + kLanes <= count; j += kLanes) store(q + j, quantised(load(x + j), by));
  }
  for (; j < count; ++j) q[j] = quantised(x[j], by);
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, group] = args->dims;
  const std::int64_t groups = rows * (cols / group);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t g = 0; g < groups; ++g) {
      quantise_group(args->x + g * group, group, args->scale + g, args->q + g * group);
    }
#if defined(__SSE2__)
    // Streamed lines are not ordered with what follows.
    if constexpr (kStream) _mm_sfence();
#endif
  }
  return 0;
}
