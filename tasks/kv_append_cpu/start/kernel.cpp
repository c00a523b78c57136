// Appending to a paged cache: a plain, right kernel with the choices that are worth trying.
#include <cstdint>
#include <cstring>

#include "forge_args.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace {

// The processor's own conversion to f16, where it has one.
FORGE_STRUCTURE(bool, kConvert, false, false, true);
// Put tokens that are neighbours in a block into v_cache together, so that a cache line is filled
// at once.
FORGE_STRUCTURE(bool, kTogether, false, false, true);
// All of k first, then all of v; else token by token.
FORGE_STRUCTURE(bool, kApart, false, false, true);
// How many tokens may go together.
FORGE_TUNABLE(int, kMostTogether, 8, 2, 4, 8, 16, 32);
// Elements of a head that are turned at a time.
FORGE_TUNABLE(int, kStrip, 16, 8, 16, 32, 64);
// How many tokens ahead memory is asked for.
FORGE_TUNABLE(int, kPrefetchTokens, 0, 0, 1, 2);

using forge::f16;

constexpr std::int64_t kLineFloats = 16;

void convert(const float* from, std::int64_t count, f16* to) {
  std::int64_t i = 0;
#if defined(__F16C__) && defined(__AVX__)
  if constexpr (kConvert) {
    for (; i + 8 <= count; i += 8) {
      const __m128i half =
          _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), half);
    }
  }
#endif
  for (; i < count; ++i) to[i] = f16::from_float(from[i]);
}

void prefetch(const float* row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += kLineFloats) __builtin_prefetch(row + i);
}

// Tokens `first` to `first + count - 1`, whose slots follow one another within a block.
struct Run {
  std::int64_t first;
  std::int64_t count;
  std::int64_t block;  // number
  std::int64_t place;  // of the first
};

void append_keys(const Args& args, const Run& run) {
  const auto [tokens, heads, head, blocks, block] = args.dims;
  for (std::int64_t i = 0; i < run.count; ++i) {
    for (std::int64_t h = 0; h < heads; ++h) {
      convert(args.k + ((run.first + i) * heads + h) * head, head,
              args.k_cache + ((run.block * heads + h) * block + run.place + i) * head);
    }
  }
}

// One head of v: a strip of its elements at a time, for each of them the tokens side by side.
void append_head(const float* v, std::int64_t token_stride, std::int64_t count, std::int64_t head,
                 std::int64_t block, f16* to) {
  f16 strip[kMostTogether][kStrip];
  for (std::int64_t d = 0; d < head; d += kStrip) {
    const std::int64_t size = head - d < kStrip ? head - d : kStrip;
    for (std::int64_t i = 0; i < count; ++i) convert(v + i * token_stride + d, size, strip[i]);
    for (std::int64_t e = 0; e < size; ++e) {
      for (std::int64_t i = 0; i < count; ++i) to[(d + e) * block + i] = strip[i][e];
    }
  }
}

void append_values(const Args& args, const Run& run) {
  const auto [tokens, heads, head, blocks, block] = args.dims;
  for (std::int64_t h = 0; h < heads; ++h) {
    append_head(args.v + (run.first * heads + h) * head, heads * head, run.count, head, block,
                args.v_cache + (run.block * heads + h) * head * block + run.place);
  }
}

Run run_at(const Args& args, std::int64_t token, std::int64_t end) {
  const std::int64_t block = args.dims.block;
  const std::int64_t slot = args.slot[token];
  Run run{token, 1, slot / block, slot % block};
  if constexpr (!kTogether) return run;
  while (run.count < kMostTogether && token + run.count < end && run.place + run.count < block &&
         args.slot[token + run.count] == slot + run.count) {
    ++run.count;
  }
  return run;
}

enum class Part { kKeys, kValues, kBoth };

void append(const Args& args, std::int64_t begin, std::int64_t end, Part part) {
  const std::int64_t row = args.dims.heads * args.dims.head;
  for (std::int64_t t = begin; t < end;) {
    if (args.slot[t] < 0) {
      ++t;
      continue;
    }
    const Run run = run_at(args, t, end);
    t += run.count;
    if constexpr (kPrefetchTokens > 0) {
      const std::int64_t ahead = (t + kPrefetchTokens - 1) * row;
      if (part != Part::kValues) prefetch(args.k + ahead, row);
      if (part != Part::kKeys) prefetch(args.v + ahead, row);
    }
    if (part != Part::kValues) append_keys(args, run);
    if (part != Part::kKeys) append_values(args, run);
  }
}

constexpr std::int64_t kTokensPerTask = 32;

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t tokens = args->dims.tokens;
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < tokens; begin += kTokensPerTask) {
    const std::int64_t end = begin + kTokensPerTask < tokens ? begin + kTokensPerTask : tokens;
    if constexpr (kApart) {
      append(*args, begin, end, Part::kKeys);
      append(*args, begin, end, Part::kValues);
    } else {
      append(*args, begin, end, Part::kBoth);
    }
  }
  return 0;
}
