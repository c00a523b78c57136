// The k largest of each row of f32: a plain, right kernel with the choices that are worth trying.
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "forge_args.h"

namespace {

// How the k largest so far are kept: in order, each new one put into its place; or in a heap, which
// is sorted at the end of the row.
FORGE_STRUCTURE(bool, kHeap, false, false, true);
// Look at several elements at a time, and pass over them where none is large enough.
FORGE_STRUCTURE(bool, kSkip, false, false, true);
// Find a new one's place by halving, else from the end.
FORGE_STRUCTURE(bool, kSearch, false, false, true);
// Floats in a vector.
FORGE_TUNABLE(int, kLanes, 4, 4, 8, 16);
// Vectors that are looked at together.
FORGE_TUNABLE(int, kUnroll, 1, 1, 2, 4, 8);
// How many cache lines ahead memory is asked for.
FORGE_TUNABLE(int, kPrefetchLines, 0, 0, 8, 32);

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::int64_t kStep = kLanes * kUnroll;
constexpr std::int64_t kLineFloats = 16;

struct Entry {
  float value;
  std::int32_t index;
};

bool is_larger(const Entry& a, const Entry& b) { return a.value > b.value; }

Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

Vec larger(Vec a, Vec b) { return a > b ? a : b; }

float largest_of_step(const float* x) {
  Vec largest = load(x);
  for (int u = 1; u < kUnroll; ++u) largest = larger(load(x + u * kLanes), largest);
  float value = largest[0];
  for (int lane = 1; lane < kLanes; ++lane) value = largest[lane] > value ? largest[lane] : value;
  return value;
}

// Puts an entry into its place among `count` that descend; the one behind them is lost.
void insert_in_order(Entry* entries, std::int64_t count, Entry entry) {
  Entry* place = entries + count;
  if constexpr (kSearch) {
    place = std::upper_bound(entries, entries + count, entry, is_larger);
    std::memmove(place + 1, place,
                 static_cast<std::size_t>(entries + count - place) * sizeof(Entry));
  } else {
    for (; place > entries && entry.value > place[-1].value; --place) *place = place[-1];
  }
  *place = entry;
}

// The least of those kept, which an element must exceed to take its place.
float least_kept(const Entry* entries, std::int64_t k) {
  return kHeap ? entries[0].value : entries[k - 1].value;
}

void keep(Entry* entries, std::int64_t k, Entry entry) {
  if constexpr (kHeap) {
    std::pop_heap(entries, entries + k, is_larger);
    entries[k - 1] = entry;
    std::push_heap(entries, entries + k, is_larger);
  } else {
    insert_in_order(entries, k - 1, entry);
  }
}

void keep_first(const float* x, std::int64_t k, Entry* entries) {
  for (std::int64_t j = 0; j < k; ++j) {
    const Entry entry{x[j], static_cast<std::int32_t>(j)};
    if constexpr (kHeap) {
      entries[j] = entry;
    } else {
      insert_in_order(entries, j, entry);
    }
  }
  if constexpr (kHeap) std::make_heap(entries, entries + k, is_larger);
}

void choose(const float* x, std::int64_t cols, std::int64_t k, Entry* entries) {
  keep_first(x, k, entries);
  float least = least_kept(entries, k);
  const auto look_at = [&](std::int64_t j) {
    if (!(x[j] > least)) return;
    keep(entries, k, {x[j], static_cast<std::int32_t>(j)});
    least = least_kept(entries, k);
  };
  std::int64_t j = k;
  if constexpr (kSkip) {
    for (; j + kStep <= cols; j += kStep) {
      if constexpr (kPrefetchLines > 0) {
        for (std::int64_t ahead = 0; ahead < kStep; ahead += kLineFloats) {
          __builtin_prefetch(x + j + kPrefetchLines * kLineFloats + ahead);
        }
      }
      if (!(largest_of_step(x + j) > least)) continue;
      for (std::int64_t i = j; i < j + kStep; ++i) look_at(i);
    }
  }
  for (; j < cols; ++j) look_at(j);
  if constexpr (kHeap) std::sort_heap(entries, entries + k, is_larger);
}

// A line of its own for each thread.
std::int64_t entries_of_thread(const Dims& dims) { return (dims.k + 8) / 8 * 8; }

}  // namespace

extern "C" std::size_t forge_workspace(const Dims* dims) {
  return static_cast<std::size_t>(omp_get_max_threads() * entries_of_thread(*dims)) * sizeof(Entry);
}

extern "C" int forge_launch(const Args* args, void*) {
  const auto [rows, cols, k] = args->dims;
#pragma omp parallel
  {
    Entry* entries =
        static_cast<Entry*>(args->workspace) + omp_get_thread_num() * entries_of_thread(args->dims);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < rows; ++i) {
      choose(args->x + i * cols, cols, k, entries);
      for (std::int64_t j = 0; j < k; ++j) {
        args->values[i * k + j] = entries[j].value;
        args->index[i * k + j] = entries[j].index;
      }
    }
  }
  return 0;
}
