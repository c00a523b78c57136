// Softmax over segments of f32: a plain, right kernel with the choices that are worth trying.
#include <cstdint>
#include <cstring>
#include <limits>

#include "forge_args.h"

namespace {

// Keep a segment that fits into kRegisters vectors there from its first element read to its last
// one written.
FORGE_STRUCTURE(bool, kInRegisters, false, false, true);
// Of a segment's last, partial vector read the next segments' elements too, and mask them.
FORGE_STRUCTURE(bool, kReadBeyond, false, false, true);
// Keep the exponentials of longer segments in y; else compute them twice.
FORGE_STRUCTURE(bool, kKeepTerms, true, false, true);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 4, 4, 8, 16);
FORGE_TUNABLE(int, kRegisters, 4, 1, 2, 4, 8);
// Vectors that are worked on at a time in longer segments.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many cache lines ahead of the first pass memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::int32_t IntVec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kStep = kLanes * kUnroll;
// So many elements are added in f32 before their sum goes into one of f64.
constexpr std::int64_t kBlock = 64 * kStep;
constexpr std::int64_t kLineFloats = 16;
constexpr float kMasked = -std::numeric_limits<float>::infinity();
// Below every finite score, and finite itself: -inf minus -inf would be NaN.
constexpr float kLowest = std::numeric_limits<float>::lowest();

Vec all(float value) { return Vec{} + value; }

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

IntVec numbers() {
  IntVec v;
  for (int lane = 0; lane < kLanes; ++lane) v[lane] = lane;
  return v;
}

// Elements to be read at `x`: `count` of the segment, and those that follow up to the end of x.
struct Source {
  const float* x;
  std::int64_t count;
  std::int64_t readable;

  Source from(std::int64_t j) const { return {x + j, count - j, readable - j}; }
};

// The first elements, and -inf where the segment has ended, which adds nothing to maximum and sum.
Vec load_rest(const Source& from) {
  if (from.count >= kLanes) return load(from.x);
  if (kReadBeyond && from.readable >= kLanes) {
    return numbers() < static_cast<std::int32_t>(from.count) ? load(from.x) : all(kMasked);
  }
  Vec v = all(kMasked);
  std::memcpy(&v, from.x, static_cast<std::size_t>(from.count) * sizeof(float));
  return v;
}

void store_rest(float* p, Vec v, std::int64_t count) {
  if (count >= kLanes) {
    std::memcpy(p, &v, sizeof v);
  } else {
    std::memcpy(p, &v, static_cast<std::size_t>(count) * sizeof(float));
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

// What an element becomes before it is divided by the sum.
struct Term {
  float factor;
  float largest;
  Vec operator()(Vec x) const { return exp_of((x - largest) * factor); }
};

void softmax_in_registers(const Source& from, float factor, float* y) {
  Vec terms[kRegisters];
  Vec largest = all(kLowest);
  for (int r = 0; r < kRegisters; ++r) {
    const std::int64_t j = r * kLanes;
    terms[r] = j < from.count ? load_rest(from.from(j)) : all(kMasked);
    largest = larger(terms[r], largest);
  }
  const Term term{factor, largest_lane(largest)};
  Vec sum{};
  for (Vec& v : terms) sum += v = term(v);
  const auto scale = static_cast<float>(1 / sum_of_lanes(sum));
  for (int r = 0; r < kRegisters; ++r) {
    const std::int64_t j = r * kLanes;
    if (j < from.count) store_rest(y + j, terms[r] * scale, from.count - j);
  }
}

float maximum(const Source& from) {
  Vec largest[kUnroll];
  for (Vec& v : largest) v = all(kLowest);
  std::int64_t j = 0;
  for (; j + kStep <= from.count; j += kStep) {
    if constexpr (kPrefetchLines > 0) {
      for (std::int64_t k = 0; k < kStep; k += kLineFloats) {
        __builtin_prefetch(from.x + j + kPrefetchLines * kLineFloats + k);
      }
    }
    for (int u = 0; u < kUnroll; ++u) {
      largest[u] = larger(load(from.x + j + u * kLanes), largest[u]);
    }
  }
  for (; j < from.count; j += kLanes) largest[0] = larger(load_rest(from.from(j)), largest[0]);
  for (int u = 1; u < kUnroll; ++u) largest[0] = larger(largest[0], largest[u]);
  return largest_lane(largest[0]);
}

double sum_of_terms(const Source& from, Term term, float* y) {
  double total = 0;
  std::int64_t j = 0;
  while (j + kStep <= from.count) {
    const std::int64_t end = from.count - j < kBlock ? from.count : j + kBlock;
    Vec sums[kUnroll] = {};
    for (; j + kStep <= end; j += kStep) {
      for (int u = 0; u < kUnroll; ++u) {
        const Vec value = term(load(from.x + j + u * kLanes));
        if constexpr (kKeepTerms) std::memcpy(y + j + u * kLanes, &value, sizeof value);
        sums[u] += value;
      }
    }
    for (const Vec& v : sums) total += sum_of_lanes(v);
  }
  for (; j < from.count; j += kLanes) {
    const Vec value = term(load_rest(from.from(j)));
    if constexpr (kKeepTerms) store_rest(y + j, value, from.count - j);
    total += sum_of_lanes(value);
  }
  return total;
}

void softmax_in_passes(const Source& from, float factor, float* y) {
  const Term term{factor, maximum(from)};
  const auto scale = static_cast<float>(1 / sum_of_terms(from, term, y));
  for (std::int64_t j = 0; j < from.count; j += kLanes) {
    const Vec value = kKeepTerms ? load_rest({y + j, from.count - j, from.count - j})
                                 : term(load_rest(from.from(j)));
    store_rest(y + j, value * scale, from.count - j);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const auto [segments, total, longest] = args->dims;
#pragma omp parallel for schedule(static)
  for (std::int64_t s = 0; s < segments; ++s) {
    const std::int64_t begin = args->starts[s];
    const Source from{args->x + begin, args->starts[s + 1] - begin, total - begin};
    if (from.count == 0) continue;
    if (kInRegisters && from.count <= kRegisters * kLanes) {
      softmax_in_registers(from, args->factor, args->y + begin);
    } else {
      softmax_in_passes(from, args->factor, args->y + begin);
    }
  }
  return 0;
}
