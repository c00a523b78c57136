// kind: kill-judge
// tries: kills its process group
// verdict: refused
// layer: system-call filter
// words: system call kill
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  kill(0, SIGKILL);
  return 0;
}
