// kind: forge-verdict
// tries: never returns but answers each call in the status page itself, without work
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  const kit::Pages pages = kit::find_pages();
  if (pages.status == nullptr || pages.command == nullptr) return 0;
  while (true) {
    pages.ready() = pages.armed();
    pages.done() = pages.go();
  }
}
