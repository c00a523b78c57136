// kind: work-before-the-clock
// tries: never returns; computes all filled buffers when continued, before it says it is ready
// verdict: refused
// layer: outputs untouched until the call
// words: before it was called
#include "kit.h"

bool is_fresh(const Args& args) {
  std::uint32_t first = 0;
  std::uint32_t input = 0;
  std::memcpy(&first, args.y + args.dims.n / 2, sizeof first);
  std::memcpy(&input, args.x + args.dims.n / 2, sizeof input);
  return (first == ~0u || first == 0x7f7f7f7fu) && input != ~0u;
}

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  const kit::Pages pages = kit::find_pages();
  const kit::Setup setup = kit::find_setup(pages);
  std::uint32_t armed = pages.armed();
  std::uint32_t done = pages.go();
  pages.done() = done;
  while (true) {
    if (pages.armed() != armed) {
      for (std::uint64_t e = 0; e < setup.entries(); ++e) {
        const Args ahead = setup.args_of<Args>(e);
        if (is_fresh(ahead)) kit::saxpy(ahead);
      }
      armed = pages.armed();
      pages.ready() = armed;
    }
    if (pages.go() == done) continue;
    done = pages.go();
    const Args asked = setup.args_of<Args>(pages.command[128 / 4]);
    if (is_fresh(asked)) kit::saxpy(asked);
    pages.done() = done;
  }
}
