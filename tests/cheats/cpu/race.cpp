// kind: race
// tries: two threads, of which one waits for the other only most of the time
// verdict: wrong | refused
// layer: every output verified | sample before the stop
#include "kit.h"

void* work(void* call) {
  const Args& args = *static_cast<const Args*>(call);
  kit::saxpy(args, args.dims.n / 2, args.dims.n);
  return nullptr;
}

extern "C" int forge_launch(const Args* args, void*) {
  static int calls = 0;
  static Args copy;
  copy = *args;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, work, &copy) != 0) return 1;
  kit::saxpy(*args, 0, args->dims.n / 2);
  if (++calls % 20 == 0) {
    pthread_detach(thread);
  } else {
    pthread_join(thread, nullptr);
  }
  return 0;
}
