// kind: patch-clock
// tries: sets the machine's clock back
// verdict: refused
// layer: system-call filter
// words: system call clock_settime
#include <ctime>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  const timespec past{0, 0};
  clock_settime(CLOCK_REALTIME, &past);
  return 0;
}
