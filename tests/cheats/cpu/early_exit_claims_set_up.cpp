// kind: early-exit
// tries: writes into the status page that the runner could not be set up, and ends
// verdict: crash
// layer: the pages excuse nothing
// words: exit code 125
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  const kit::Pages pages = kit::find_pages();
  if (pages.status != nullptr) {
    pages.phase() = 1;
    pages.setup_failure() = 3;
  }
  _exit(125);
}
