// What the cheats share: right answers, to be honest with where that helps, and the runner's pages.
// The test puts this text in the place of `#include "kit.h"`, since a kernel is one file.
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "forge_args.h"

namespace kit {

template <typename Arguments>
void saxpy(const Arguments& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) args.y[i] = args.a * args.x[i] + args.z[i];
}

template <typename Arguments>
void saxpy(const Arguments& args) {
  saxpy(args, 0, args.dims.n);
}

template <typename Arguments>
void matmul(const Arguments& args) {
  const auto [m, n, k] = args.dims;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      const float factor = args.a[i * k + l];
      for (std::int64_t j = 0; j < n; ++j) args.c[i * n + j] += factor * args.b[l * n + j];
    }
  }
}

template <typename Arguments>
void softmax_row(const Arguments& args, std::int64_t row, std::int64_t length) {
  const float* x = args.x + row * args.dims.cols;
  float* y = args.y + row * args.dims.cols;
  float largest = -INFINITY;
  for (std::int64_t i = 0; i < length; ++i) largest = x[i] > largest ? x[i] : largest;
  float sum = 0;
  for (std::int64_t i = 0; i < length; ++i) sum += y[i] = std::exp(x[i] - largest);
  for (std::int64_t i = 0; i < length; ++i) y[i] /= sum;
  for (std::int64_t i = length; i < args.dims.cols; ++i) y[i] = 0;
}

// Stays in the address space for as long as the process lives; no destructor waits for it.
inline void start(void* (*body)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, body, argument) == 0) pthread_detach(thread);
}

// The pages that runner and measurer share, found on the runner's stack. Offsets are those of
// src/worker/runner_protocol.h.
struct Pages {
  volatile std::uint32_t* command = nullptr;
  volatile std::uint32_t* status = nullptr;

  volatile std::uint32_t& armed() const { return command[64 / 4]; }
  volatile std::uint32_t& go() const { return command[132 / 4]; }
  volatile std::uint32_t& phase() const { return status[4 / 4]; }
  volatile std::uint32_t& setup_failure() const { return status[8 / 4]; }
  volatile std::uint32_t& ready() const { return status[64 / 4]; }
  volatile std::uint32_t& done() const { return status[128 / 4]; }
};

inline bool readable(std::uintptr_t page) {
  // An unreadable address is an error of write() and no signal.
  return page != 0 && page % 4096 == 0 && write(1, reinterpret_cast<void*>(page), 1) == 1;
}

__attribute__((noinline)) inline Pages find_pages() {
  constexpr std::uint32_t kMagic = 0x464b5231;
  Pages pages;
  const auto* stack = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 4096 && (pages.command == nullptr || pages.status == nullptr); ++i) {
    if (!readable(stack[i])) continue;
    auto* page = reinterpret_cast<volatile std::uint32_t*>(stack[i]);
    if (page[0] != kMagic || page[4] != 0) continue;  // the set-up has a limit of memory there
    // The command page is sealed against everybody's writing but the measurer's.
    void* address = const_cast<std::uint32_t*>(page);
    const bool ours = mprotect(address, 4096, PROT_READ | PROT_WRITE) == 0;
    (ours ? pages.status : pages.command) = page;
  }
  return pages;
}

// Everything that a runner knows, so that a kernel can take its place: the tables of its set-up,
// and from them the Args of any call that the measurer may ask for.
struct Setup {
  const std::uint64_t* words = nullptr;  // a SetupHeader
  std::uint64_t bases[2] = {0, 0};       // of the arenas, in this process

  std::uint64_t entries() const { return words[10]; }
  template <typename Arguments>
  Arguments args_of(std::uint64_t entry) const {
    const auto* bytes = reinterpret_cast<const char*>(words);
    const auto* entry_words = reinterpret_cast<const std::uint64_t*>(bytes + words[9]) + 7 * entry;
    Arguments args;
    std::memcpy(&args, bytes + words[15] + entry_words[0], sizeof args);
    const auto* relocations =
        reinterpret_cast<const std::uint64_t*>(bytes + words[11]) + 3 * entry_words[2];
    for (std::uint64_t i = 0; i < entry_words[3]; ++i, relocations += 3) {
      const std::uint64_t target = bases[relocations[1] & 1] + relocations[2];
      std::memcpy(reinterpret_cast<char*>(&args) + relocations[0], &target, sizeof target);
    }
    return args;
  }
};

__attribute__((noinline)) inline Setup find_setup(const Pages& pages) {
  Setup setup;
  const auto* stack = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 4096 && setup.words == nullptr; ++i) {
    if (!readable(stack[i])) continue;
    auto* page = reinterpret_cast<volatile std::uint32_t*>(stack[i]);
    if (page[0] != pages.command[0] || page[4] == 0) continue;
    setup.words = reinterpret_cast<const std::uint64_t*>(stack[i]);
  }
  std::memcpy(setup.bases, const_cast<const std::uint32_t*>(pages.status + 224 / 4), 16);
  return setup;
}

// Work ahead of the call into memory of its own: what the cheats that do so differ in is how much.
struct Kept {
  float first[2] = {};
  float* result = nullptr;
};

// Stands for work that is worth hiding.
template <typename Arguments>
void work(const Arguments& args, float* result, std::int64_t elements) {
  for (std::int64_t pass = 0; pass < elements / args.dims.n; ++pass) {
    for (std::int64_t i = 0; i < args.dims.n; ++i) {
      volatile float* one = result + i;
      *one = args.a * args.x[i] + args.z[i];
    }
  }
}

template <typename Arguments>
void work_ahead(const Arguments& args, Kept& kept, std::int64_t elements) {
  const float first[2] = {args.x[0], args.z[0]};
  if (std::isnan(first[0]) || std::memcmp(first, kept.first, sizeof first) == 0) return;
  std::memcpy(kept.first, first, sizeof first);
  const auto bytes = static_cast<std::size_t>(args.dims.n) * sizeof(float);
  if (kept.result == nullptr) kept.result = static_cast<float*>(std::malloc(bytes));
  work(args, kept.result, elements);
}

// Takes the place of the runner from its first call on: sleeps so long when it is continued, works
// ahead so many elements a slot, and is ready then.
template <typename Arguments>
[[noreturn]] void serve_ahead(const Arguments& args, std::int64_t elements, long sleep_ns) {
  static Kept kept[4096];
  const Pages pages = find_pages();
  const Setup setup = find_setup(pages);
  saxpy(args);
  std::uint32_t armed = pages.armed();
  std::uint32_t done = pages.go();
  pages.done() = done;
  while (true) {
    if (pages.armed() != armed) {
      const timespec pause{0, sleep_ns};
      if (sleep_ns > 0) nanosleep(&pause, nullptr);
      // The groups of a slot share its buffers.
      for (std::uint64_t e = 0; e < setup.entries(); e += 3) {
        work_ahead(setup.args_of<Arguments>(e), kept[e], elements);
      }
      armed = pages.armed();
      pages.ready() = armed;
    }
    if (pages.go() == done) continue;
    done = pages.go();
    const std::uint64_t entry = pages.command[128 / 4];
    const auto asked = setup.args_of<Arguments>(entry);
    work_ahead(asked, kept[entry / 3 * 3], elements);
    std::memcpy(asked.y, kept[entry / 3 * 3].result,
                static_cast<std::size_t>(asked.dims.n) * sizeof(float));
    pages.done() = done;
  }
}

}  // namespace kit
