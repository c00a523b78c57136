// kind: threads-left-running
// tries: does the first half itself; a thread does the second as soon as 'done' is seen
// verdict: wrong | refused
// layer: sample before the stop | every output verified
#include "kit.h"

const kit::Pages* pages = nullptr;
std::atomic<const Args*> work{nullptr};

void* serve(void*) {
  while (true) {
    const Args* args = work;
    if (args == nullptr || pages->done() != pages->go()) continue;
    work = nullptr;
    kit::saxpy(*args, args->dims.n / 2, args->dims.n);
  }
}

extern "C" int forge_launch(const Args* args, void*) {
  static Args copy;
  static const kit::Pages found = kit::find_pages();
  if (found.command == nullptr || found.status == nullptr) return 0;
  copy = *args;
  if (pages == nullptr) {
    pages = &found;
    kit::start(serve, nullptr);
  }
  kit::saxpy(*args, 0, args->dims.n / 2);
  work = &copy;
  return 0;
}
