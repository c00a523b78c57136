// kind: kill-judge
// tries: kills its parent, the measurer
// verdict: refused
// layer: system-call filter
// words: system call getppid
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  kill(getppid(), SIGKILL);
  return 0;
}
