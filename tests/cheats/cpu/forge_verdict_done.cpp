// kind: forge-verdict
// tries: writes 'done' into the status page first and does the work after
// verdict: refused
// layer: sample before the stop
// words: still changed after forge_launch had returned
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static const kit::Pages pages = kit::find_pages();
  if (pages.status != nullptr) pages.done() = pages.go();
  kit::saxpy(*args);
  return 0;
}
