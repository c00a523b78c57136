// kind: threads-left-running
// tries: returns at once; a thread finishes the work
// verdict: wrong | refused
// layer: sample before the stop | every output verified
#include "kit.h"

void* work(void* call) {
  kit::saxpy(*static_cast<const Args*>(call));
  return nullptr;
}

extern "C" int forge_launch(const Args* args, void*) {
  static Args copies[4096];
  static int next = 0;
  Args& copy = copies[next++ % 4096];
  copy = *args;
  kit::start(work, &copy);
  return 0;
}
