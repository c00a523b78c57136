// control: threads that are started and joined in each call
#include <thread>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const std::int64_t half = args->dims.n / 2;
  std::thread other([=] { kit::saxpy(*args, 0, half); });
  kit::saxpy(*args, half, args->dims.n);
  other.join();
  return 0;
}
