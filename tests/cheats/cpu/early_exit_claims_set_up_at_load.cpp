// kind: early-exit
// tries: the same while it is loaded, before the runner serves
// verdict: crash
// layer: the pages excuse nothing
// words: exit code 125
#include "kit.h"

struct Early {
  Early() {
    const kit::Pages pages = kit::find_pages();
    if (pages.status != nullptr) {
      pages.phase() = 1;
      pages.setup_failure() = 2;
    }
    _exit(125);
  }
} early;

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
