// RMS normalisation of bf16 rows: a plain, right kernel with the choices that are worth trying.
#include <cmath>
#include <cstring>

#include "forge_args.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// Vector instructions by name (AVX-512 or AVX2) instead of what the compiler makes of loops.
FORGE_STRUCTURE(bool, kIntrinsics, false, false, true);
// Write y past the caches: they then keep no line of it, and none is read before it is written.
FORGE_STRUCTURE(bool, kStream, false, false, true);
// While a block is written, ask memory for the next one.
FORGE_STRUCTURE(bool, kPrefetchBlock, true, false, true);
// Write a row from its end where y lies a little above x modulo 4 KiB: processors compare the lower
// 12 bits of addresses first, and would take the next loads of x for the last stores to y.
FORGE_STRUCTURE(bool, kAvoidAliases, false, false, true);
// So many rows are summed before the first of them is read again.
FORGE_TUNABLE(int, kRowsPerBlock, 8, 1, 2, 8, 32, 128);
// Lines that are summed at a time, each into accumulators of its own.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4);
// How many lines ahead of the sum memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

using forge::bf16;

constexpr int kLine = 32;  // elements: one cache line of bf16

// Neighbouring elements of bf16 as two vectors of float: those at even and those at odd places.
// Rounding is to nearest, ties to even. It needs no care for NaN: every NaN here comes from a bf16,
// so that its lower bits are zero and rounding leaves the upper ones alone.
#if defined(__AVX512F__) && defined(__AVX512BW__)
constexpr bool kHasIntrinsics = true;
struct Pair {
  static constexpr int kCount = 32;
  __m512 even, odd;

  static __m512i upper() { return _mm512_set1_epi32(static_cast<int>(0xffff0000u)); }
  static Pair zero() { return {_mm512_setzero_ps(), _mm512_setzero_ps()}; }
  static Pair load(const bf16* p) {
    const __m512i both = _mm512_loadu_si512(p);
    return {_mm512_castsi512_ps(_mm512_slli_epi32(both, 16)),
            _mm512_castsi512_ps(_mm512_and_si512(both, upper()))};
  }
#if defined(__AVX512BF16__)
  // These instructions take denormals for zeros: less than 1e-38 of a row's scale of about 1.
  static void square(const bf16* p, Pair& sum) {
    const auto both = reinterpret_cast<__m512bh>(_mm512_loadu_si512(p));
    sum.even = _mm512_dpbf16_ps(sum.even, both, both);
  }
  __m512i rounded() const {
    alignas(64) static constexpr std::uint16_t kTurns[32] = {
        0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
        8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    const auto apart = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(odd, even));
    return _mm512_permutexvar_epi16(_mm512_load_si512(kTurns), apart);
  }
#else
  static void square(const bf16* p, Pair& sum) { sum = sum.plus_square(load(p)); }
  static __m512i rounded(__m512 v) {
    const __m512i bits = _mm512_castps_si512(v);
    const __m512i tie = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    return _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), tie);
  }
  __m512i rounded() const {
    constexpr __mmask32 kOdd = 0xaaaaaaaau;
    return _mm512_mask_blend_epi16(kOdd, _mm512_srli_epi32(rounded(even), 16), rounded(odd));
  }
#endif
  void put(bf16* to) const {
    const __m512i both = rounded();
    if constexpr (kStream) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), both);
    } else {
      _mm512_store_si512(to, both);
    }
  }
  Pair times(float s) const {
    const __m512 all = _mm512_set1_ps(s);
    return {_mm512_mul_ps(even, all), _mm512_mul_ps(odd, all)};
  }
  Pair times(Pair o) const { return {_mm512_mul_ps(even, o.even), _mm512_mul_ps(odd, o.odd)}; }
  Pair plus_square(Pair o) const {
    return {_mm512_fmadd_ps(o.even, o.even, even), _mm512_fmadd_ps(o.odd, o.odd, odd)};
  }
  float sum() const { return _mm512_reduce_add_ps(_mm512_add_ps(even, odd)); }
};
#elif defined(__AVX2__) && defined(__FMA__)
constexpr bool kHasIntrinsics = true;
struct Pair {
  static constexpr int kCount = 16;
  __m256 even, odd;

  static __m256i upper() { return _mm256_set1_epi32(static_cast<int>(0xffff0000u)); }
  static Pair zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
  static Pair load(const bf16* p) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(both, 16)),
            _mm256_castsi256_ps(_mm256_and_si256(both, upper()))};
  }
  static void square(const bf16* p, Pair& sum) { sum = sum.plus_square(load(p)); }
  static __m256i rounded(__m256 v) {
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i tie = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    return _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), tie);
  }
  void put(bf16* to) const {
    constexpr int kOdd = 0xaa;
    const __m256i both =
        _mm256_blend_epi16(_mm256_srli_epi32(rounded(even), 16), rounded(odd), kOdd);
    if constexpr (kStream) {
      _mm256_stream_si256(reinterpret_cast<__m256i*>(to), both);
    } else {
      _mm256_store_si256(reinterpret_cast<__m256i*>(to), both);
    }
  }
  Pair times(float s) const {
    const __m256 all = _mm256_set1_ps(s);
    return {_mm256_mul_ps(even, all), _mm256_mul_ps(odd, all)};
  }
  Pair times(Pair o) const { return {_mm256_mul_ps(even, o.even), _mm256_mul_ps(odd, o.odd)}; }
  Pair plus_square(Pair o) const {
    return {_mm256_fmadd_ps(o.even, o.even, even), _mm256_fmadd_ps(o.odd, o.odd, odd)};
  }
  float sum() const {
    float lanes[8];
    _mm256_storeu_ps(lanes, _mm256_add_ps(even, odd));
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
  }
};
#else
constexpr bool kHasIntrinsics = false;
struct Pair {};
#endif

void prefetch_ahead(const bf16* p) {
  if constexpr (kPrefetchLines > 0) __builtin_prefetch(p + kPrefetchLines * kLine);
}

float sum_of_squares_plain(const bf16* x, std::int64_t cols) {
  constexpr int kAtOnce = kLine * kUnroll;
  float sums[kAtOnce] = {};
  std::int64_t j = 0;
  for (; j + kAtOnce <= cols; j += kAtOnce) {
    for (int u = 0; u < kUnroll; ++u) prefetch_ahead(x + j + u * kLine);
    for (int k = 0; k < kAtOnce; ++k) {
      const float value = x[j + k].to_float();
      sums[k] += value * value;
    }
  }
  float sum = 0;
  for (; j < cols; ++j) sum += x[j].to_float() * x[j].to_float();
  for (int width = kAtOnce / 2; width > 0; width /= 2) {
    for (int k = 0; k < width; ++k) sums[k] += sums[k + width];
  }
  return sum + sums[0];
}

template <typename P>
float sum_of_squares_pairs(const bf16* x, std::int64_t cols) {
  constexpr int kPairs = kLine * kUnroll / P::kCount;
  P sums[kPairs];
  for (P& part : sums) part = P::zero();
  std::int64_t j = 0;
  for (; j + kLine * kUnroll <= cols; j += kLine * kUnroll) {
    for (int u = 0; u < kUnroll; ++u) prefetch_ahead(x + j + u * kLine);
    for (int k = 0; k < kPairs; ++k) {
      P::square(x + j + k * P::kCount, sums[k]);
    }
  }
  float sum = 0;
  for (; j < cols; ++j) sum += x[j].to_float() * x[j].to_float();
  for (const P& part : sums) sum += part.sum();
  return sum;
}

template <typename P>
float sum_of_squares(const bf16* x, std::int64_t cols) {
  if constexpr (kIntrinsics && kHasIntrinsics) {
    return sum_of_squares_pairs<P>(x, cols);
  } else {
    return sum_of_squares_plain(x, cols);
  }
}

// `to` is aligned to a line.
void put_line_plain(const bf16* x, const bf16* w, float scale, bf16* to) {
  alignas(64) bf16 line[kLine];
  for (int k = 0; k < kLine; ++k) {
    line[k] = bf16::from_float(x[k].to_float() * scale * w[k].to_float());
  }
#if defined(__SSE2__)
  if constexpr (kStream) {
    auto* out = reinterpret_cast<__m128i*>(to);
    const auto* in = reinterpret_cast<const __m128i*>(line);
    for (int k = 0; k < 4; ++k) _mm_stream_si128(out + k, _mm_load_si128(in + k));
    return;
  }
#endif
  std::memcpy(to, line, sizeof line);
}

template <typename P>
void put_line(const bf16* x, const bf16* w, float scale, bf16* to) {
  if constexpr (kIntrinsics && kHasIntrinsics) {
    for (int k = 0; k < kLine; k += P::kCount) {
      P::load(x + k).times(scale).times(P::load(w + k)).put(to + k);
    }
  } else {
    put_line_plain(x, w, scale, to);
  }
}

bool better_backwards(const bf16* x, const bf16* y) {
  const auto above = reinterpret_cast<std::uintptr_t>(y) - reinterpret_cast<std::uintptr_t>(x);
  return above % 4096 != 0 && above % 4096 < 2048;
}

void normalise_row(const bf16* x, const bf16* w, float scale, bf16* y, std::int64_t cols) {
  const auto one = [&](std::int64_t j) {
    y[j] = bf16::from_float(x[j].to_float() * scale * w[j].to_float());
  };
  std::int64_t begin = 0;
  // Rows need not begin at a line.
  for (; begin < cols && reinterpret_cast<std::uintptr_t>(y + begin) % 64 != 0; ++begin) one(begin);
  const std::int64_t lines = (cols - begin) / kLine;
  const bool backwards = kAvoidAliases && better_backwards(x, y);
  const std::int64_t step = backwards ? -kLine : kLine;
  std::int64_t j = backwards ? begin + (lines - 1) * kLine : begin;
  for (std::int64_t line = 0; line < lines; ++line, j += step) {
    if constexpr (kPrefetchBlock) __builtin_prefetch(x + kRowsPerBlock * cols + j);
    put_line<Pair>(x + j, w + j, scale, y + j);
  }
  for (std::int64_t k = begin + lines * kLine; k < cols; ++k) one(k);
}

void normalise_block(const Args& args, std::int64_t first, std::int64_t end) {
  const std::int64_t cols = args.dims.cols;
  float scales[kRowsPerBlock];
  for (std::int64_t i = first; i < end; ++i) {
    const float mean = sum_of_squares<Pair>(args.x + i * cols, cols) / static_cast<float>(cols);
    scales[i - first] = 1.0f / std::sqrt(mean + args.eps);
  }
  for (std::int64_t i = first; i < end; ++i) {
    normalise_row(args.x + i * cols, args.w, scales[i - first], args.y + i * cols, cols);
  }
#if defined(__SSE2__)
  // Streamed lines are not ordered with what follows.
  if constexpr (kStream) _mm_sfence();
#endif
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t rows = args->dims.rows;
  const std::int64_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
#pragma omp parallel for schedule(static)
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t first = block * kRowsPerBlock;
    normalise_block(*args, first, first + kRowsPerBlock < rows ? first + kRowsPerBlock : rows);
  }
  return 0;
}
