// kind: define-judge-symbol
// tries: its own clock_gettime, that says no time has passed, and no work
// verdict: wrong
// layer: poison
#include <ctime>

#include "forge_args.h"

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t,
                                                                    timespec* time) noexcept {
  *time = {};
  return 0;
}

extern "C" int forge_launch(const Args*, void*) { return 0; }
