// kind: work-before-the-clock
// tries: sleeps before it is ready, until the measurer may have lost its processor
// verdict: refused
// layer: work before the call is counted
// words: nothing may run between calls
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::serve_ahead(*args, 500'000, 60'000'000);
}
