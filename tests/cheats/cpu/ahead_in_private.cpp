// kind: work-before-the-clock
// tries: the same in memory of its own; when it is called there is only a copy to make
// verdict: refused
// layer: work before the call is counted
// words: before it was called
#include "kit.h"

struct Kept {
  float first[2] = {};
  float* result = nullptr;
};

// Stands for work that is worth hiding.
void work(const Args& args, float* result) {
  for (std::int64_t pass = 0; pass < 40'000'000 / args.dims.n; ++pass) {
    for (std::int64_t i = 0; i < args.dims.n; ++i) {
      volatile float* one = result + i;
      *one = args.a * args.x[i] + args.z[i];
    }
  }
}

void work_ahead(const Args& args, Kept& kept) {
  const float first[2] = {args.x[0], args.z[0]};
  if (std::isnan(first[0]) || std::memcmp(first, kept.first, sizeof first) == 0) return;
  std::memcpy(kept.first, first, sizeof first);
  const auto bytes = static_cast<std::size_t>(args.dims.n) * sizeof(float);
  if (kept.result == nullptr) kept.result = static_cast<float*>(std::malloc(bytes));
  work(args, kept.result);
}

extern "C" int forge_launch(const Args* args, void*) {
  static Kept kept[4096];
  const kit::Pages pages = kit::find_pages();
  const kit::Setup setup = kit::find_setup(pages);
  kit::saxpy(*args);
  std::uint32_t armed = pages.armed();
  std::uint32_t done = pages.go();
  pages.done() = done;
  while (true) {
    if (pages.armed() != armed) {
      // The groups of a slot share its buffers.
      for (std::uint64_t e = 0; e < setup.entries(); e += 3) {
        work_ahead(setup.args_of<Args>(e), kept[e]);
      }
      armed = pages.armed();
      pages.ready() = armed;
    }
    if (pages.go() == done) continue;
    done = pages.go();
    const std::uint64_t entry = pages.command[128 / 4];
    const Args asked = setup.args_of<Args>(entry);
    work_ahead(asked, kept[entry / 3 * 3]);
    std::memcpy(asked.y, kept[entry / 3 * 3].result,
                static_cast<std::size_t>(asked.dims.n) * sizeof(float));
    pages.done() = done;
  }
}
