// The matrix product of f32: a plain, right kernel with the choices that are worth trying.
#include <omp.h>

#include <cstdint>
#include <cstring>

#include "forge_args.h"

namespace {

// Copy a panel of b that is used for all rows of a into the order in which it is read. The last,
// narrower panel is always copied, and padded with zeros.
FORGE_STRUCTURE(bool, kPackB, false, false, true);
// While a tile is computed, ask memory for the panel's rows to come.
FORGE_STRUCTURE(bool, kPrefetch, false, false, true);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 8, 4, 8, 16);
// A tile of c that stays in registers: so many rows, and so many vectors in each.
FORGE_TUNABLE(int, kTileRows, 2, 1, 2, 4, 6, 8, 12);
FORGE_TUNABLE(int, kTileVectors, 1, 1, 2, 3, 4);
// How many products are added in registers before a tile goes back to memory.
FORGE_TUNABLE(int, kDepth, 128, 32, 64, 128, 256, 512);

FORGE_REQUIRE(kTileRows* kTileVectors <= 24);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kTileCols = kLanes * kTileVectors;
constexpr std::int64_t kPanel = kDepth * kTileCols;
constexpr std::int64_t kPrefetchRows = 8;

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

void store(float* p, Vec v) { std::memcpy(p, &v, sizeof v); }

// A panel: `depth` rows of kTileCols columns of b, `stride` elements apart.
struct Panel {
  const float* b;
  std::int64_t stride;
  std::int64_t depth;
};

enum class Begin { kNew, kAdd };

// kRows rows of a times a panel, into or onto c.
template <int kRows>
void compute_tile(const float* a, std::int64_t a_stride, const Panel& panel, Begin begin, float* c,
                  std::int64_t c_stride) {
  Vec sums[kRows][kTileVectors];
  for (int i = 0; i < kRows; ++i) {
    for (int v = 0; v < kTileVectors; ++v) {
      sums[i][v] = begin == Begin::kAdd ? load(c + i * c_stride + v * kLanes) : Vec{};
    }
  }
  const float* b = panel.b;
  for (std::int64_t p = 0; p < panel.depth; ++p, b += panel.stride) {
    if constexpr (kPrefetch) __builtin_prefetch(b + kPrefetchRows * panel.stride);
    Vec row[kTileVectors];
    for (int v = 0; v < kTileVectors; ++v) row[v] = load(b + v * kLanes);
    for (int i = 0; i < kRows; ++i) {
      const float factor = a[i * a_stride + p];
      for (int v = 0; v < kTileVectors; ++v) sums[i][v] += factor * row[v];
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int v = 0; v < kTileVectors; ++v) store(c + i * c_stride + v * kLanes, sums[i][v]);
  }
}

// All rows of a times a panel.
void compute_panel(const float* a, std::int64_t a_stride, std::int64_t rows, const Panel& panel,
                   Begin begin, float* c, std::int64_t c_stride) {
  std::int64_t i = 0;
  for (; i + kTileRows <= rows; i += kTileRows) {
    compute_tile<kTileRows>(a + i * a_stride, a_stride, panel, begin, c + i * c_stride, c_stride);
  }
  for (; i < rows; ++i) {
    compute_tile<1>(a + i * a_stride, a_stride, panel, begin, c + i * c_stride, c_stride);
  }
}

Panel packed(const float* b, std::int64_t stride, std::int64_t depth, std::int64_t cols,
             float* to) {
  for (std::int64_t p = 0; p < depth; ++p) {
    float* row = to + p * kTileCols;
    std::memcpy(row, b + p * stride, static_cast<std::size_t>(cols) * sizeof(float));
    for (std::int64_t j = cols; j < kTileCols; ++j) row[j] = 0;
  }
  return {to, kTileCols, depth};
}

// A thread's scratch: a packed panel, and for the last, narrow panel the columns of c.
std::int64_t scratch_floats(const Dims& dims) { return kPanel + dims.m * kTileCols; }

std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

void whole_columns(const Args& args, std::int64_t column, float* scratch) {
  const auto [m, n, k] = args.dims;
  for (std::int64_t p = 0; p < k; p += kDepth) {
    const std::int64_t depth = least(kDepth, k - p);
    const float* b = args.b + p * n + column;
    const Panel panel = kPackB ? packed(b, n, depth, kTileCols, scratch) : Panel{b, n, depth};
    compute_panel(args.a + p, k, m, panel, p == 0 ? Begin::kNew : Begin::kAdd, args.c + column, n);
  }
}

void last_columns(const Args& args, std::int64_t column, float* scratch) {
  const auto [m, n, k] = args.dims;
  const std::int64_t cols = n - column;
  float* c = scratch + kPanel;
  for (std::int64_t p = 0; p < k; p += kDepth) {
    const std::int64_t depth = least(kDepth, k - p);
    const Panel panel = packed(args.b + p * n + column, n, depth, cols, scratch);
    compute_panel(args.a + p, k, m, panel, p == 0 ? Begin::kNew : Begin::kAdd, c, kTileCols);
  }
  for (std::int64_t i = 0; i < m; ++i) {
    std::memcpy(args.c + i * n + column, c + i * kTileCols,
                static_cast<std::size_t>(cols) * sizeof(float));
  }
}

}  // namespace

extern "C" std::size_t forge_workspace(const Dims* dims) {
  return static_cast<std::size_t>(omp_get_max_threads() * scratch_floats(*dims)) * sizeof(float);
}

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t n = args->dims.n;
#pragma omp parallel
  {
    float* scratch =
        static_cast<float*>(args->workspace) + omp_get_thread_num() * scratch_floats(args->dims);
#pragma omp for schedule(static)
    for (std::int64_t column = 0; column < n; column += kTileCols) {
      if (column + kTileCols <= n) {
        whole_columns(*args, column, scratch);
      } else {
        last_columns(*args, column, scratch);
      }
    }
  }
  return 0;
}
