// kind: lazy-output
// tries: claims half of the calls early and does them while the last one is looked at
// verdict: refused | wrong
// layer: sample before the stop | every output verified
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const kit::Pages pages = kit::find_pages();
  const kit::Setup setup = kit::find_setup(pages);
  kit::saxpy(*args);
  std::uint32_t done = pages.go();
  std::uint32_t armed = pages.armed();
  pages.done() = done;
  // Intervals are as long as the one before, most of the time.
  int calls_before = 0;
  int calls = 0;
  Args late[64];
  int waiting = 0;
  while (true) {
    if (pages.armed() != armed) {
      calls_before = calls;
      calls = 0;
      waiting = 0;
      armed = pages.armed();
      pages.ready() = armed;
    }
    if (pages.go() == done) continue;
    done = pages.go();
    const Args asked = setup.args_of<Args>(pages.command[128 / 4]);
    ++calls;
    if (2 * calls <= calls_before && waiting < 64) {
      late[waiting++] = asked;
      pages.done() = done;
      continue;
    }
    kit::saxpy(asked);
    pages.done() = done;
    if (calls < calls_before) continue;
    while (waiting > 0) kit::saxpy(late[--waiting]);
  }
}
