// kind: static-constructor
// tries: starts a thread before any check that fills the outputs of whatever call is made
// verdict: wrong
// layer: poison
#include "kit.h"

std::atomic<const Args*> call{nullptr};

void* serve(void*) {
  while (true) {
    if (const Args* args = call.exchange(nullptr)) kit::saxpy(*args, 0, args->dims.n / 2);
    sched_yield();
  }
}
struct Early {
  Early() { kit::start(serve, nullptr); }
} early;

extern "C" int forge_launch(const Args* args, void*) {
  static Args copy;
  copy = *args;
  call = &copy;
  return 0;
}
