// Rotary position embedding of bf16 heads: a plain, right kernel with the choices that are worth
// trying.
#include <cstdint>
#include <cstring>

#include "forge_args.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// Vectors by hand instead of what the compiler makes of loops.
FORGE_STRUCTURE(bool, kVectors, false, false, true);
// All heads of a vector's width of angles before the next angles, so that these stay in registers;
// else head by head, which reads and writes memory in order.
FORGE_STRUCTURE(bool, kAnglesOuter, false, false, true);
// Write the outputs past the caches.
FORGE_STRUCTURE(bool, kStream, false, false, true);
// While a token is turned, ask memory for the next one's heads.
FORGE_STRUCTURE(bool, kPrefetchToken, false, false, true);
// Elements in a vector.
FORGE_TUNABLE(int, kLanes, 8, 4, 8, 16, 32);
// How many heads ahead memory is asked for.
FORGE_TUNABLE(int, kPrefetchHeads, 0, 0, 1, 2, 4);

using forge::bf16;

typedef float Vec __attribute__((vector_size(kLanes * 4)));
typedef std::uint32_t Bits __attribute__((vector_size(kLanes * 4)));
typedef std::uint16_t Narrow __attribute__((vector_size(kLanes * 2)));

constexpr std::int64_t kLine = 32;  // elements: one cache line of bf16

template <typename V, typename T>
V load(const T* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

Vec widened(const bf16* p) {
  const Bits bits = __builtin_convertvector(load<Narrow>(p), Bits) << 16;
  return reinterpret_cast<const Vec&>(bits);
}

// To nearest, ties to even. Results are finite or infinite, never NaN.
Narrow narrowed(Vec v) {
  const Bits bits = reinterpret_cast<const Bits&>(v);
  return __builtin_convertvector((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16, Narrow);
}

void store(bf16* to, Narrow v) {
#if defined(__SSE2__)
  // Heads begin at a vector's boundary wherever `half` is a multiple of it, but that is not
  // promised.
  if constexpr (kStream && sizeof v % 16 == 0) {
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

void prefetch_head(const bf16* head, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements; i += kLine) __builtin_prefetch(head + i);
}

// What is turned alike: the heads of q, or of k.
struct Heads {
  const bf16* from;
  std::int64_t stride;  // from head to head
  bf16* to;
  std::int64_t count;
  std::int64_t half;
};

void turn_one(const bf16* x, float cos, float sin, std::int64_t half, bf16* out) {
  const float first = x[0].to_float();
  const float second = x[half].to_float();
  out[0] = bf16::from_float(first * cos - second * sin);
  out[half] = bf16::from_float(second * cos + first * sin);
}

void turn_vector(const bf16* x, Vec cos, Vec sin, std::int64_t half, bf16* out) {
  const Vec first = widened(x);
  const Vec second = widened(x + half);
  store(out, narrowed(first * cos - second * sin));
  store(out + half, narrowed(second * cos + first * sin));
}

void turn_by_angle(const Heads& heads, const float* cos, const float* sin) {
  std::int64_t i = 0;
  for (; i + kLanes <= heads.half; i += kLanes) {
    const Vec c = load<Vec>(cos + i);
    const Vec s = load<Vec>(sin + i);
    for (std::int64_t h = 0; h < heads.count; ++h) {
      turn_vector(heads.from + h * heads.stride + i, c, s, heads.half,
                  heads.to + h * 2 * heads.half + i);
    }
  }
  for (; i < heads.half; ++i) {
    for (std::int64_t h = 0; h < heads.count; ++h) {
      turn_one(heads.from + h * heads.stride + i, cos[i], sin[i], heads.half,
               heads.to + h * 2 * heads.half + i);
    }
  }
}

void turn_by_head(const Heads& heads, const float* cos, const float* sin) {
  for (std::int64_t h = 0; h < heads.count; ++h) {
    const bf16* x = heads.from + h * heads.stride;
    bf16* out = heads.to + h * 2 * heads.half;
    if constexpr (kPrefetchHeads > 0) {
      prefetch_head(x + kPrefetchHeads * heads.stride, 2 * heads.half);
    }
    std::int64_t i = 0;
    if constexpr (kVectors) {
      for (; i + kLanes <= heads.half; i += kLanes) {
        turn_vector(x + i, load<Vec>(cos + i), load<Vec>(sin + i), heads.half, out + i);
      }
    }
    for (; i < heads.half; ++i) turn_one(x + i, cos[i], sin[i], heads.half, out + i);
  }
}

void turn_heads(const Heads& heads, const float* cos, const float* sin) {
  if constexpr (kAnglesOuter) {
    turn_by_angle(heads, cos, sin);
  } else {
    turn_by_head(heads, cos, sin);
  }
}

void turn_token(const Args& args, std::int64_t t) {
  const auto [tokens, q_heads, k_heads, half, positions] = args.dims;
  const float* cos = args.cos + args.position[t] * half;
  const float* sin = args.sin + args.position[t] * half;
  const bf16* q = args.q + t * args.q_strides[0];
  const bf16* k = args.k + t * args.k_strides[0];
  if constexpr (kPrefetchToken) {
    prefetch_head(q + args.q_strides[0], q_heads * 2 * half);
    prefetch_head(k + args.k_strides[0], k_heads * 2 * half);
  }
  const std::int64_t head = 2 * half;
  turn_heads({q, args.q_strides[1], args.q_out + t * q_heads * head, q_heads, half}, cos, sin);
  turn_heads({k, args.k_strides[1], args.k_out + t * k_heads * head, k_heads, half}, cos, sin);
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t tokens = args->dims.tokens;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t t = 0; t < tokens; ++t) turn_token(*args, t);
#if defined(__SSE2__)
    // Streamed lines are not ordered with what follows.
    if constexpr (kStream) _mm_sfence();
#endif
  }
  return 0;
}
