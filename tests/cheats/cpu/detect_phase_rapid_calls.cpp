// kind: detect-phase
// tries: works only if long has passed since the last call, as between checks
// verdict: wrong
// layer: poison
#include <chrono>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  static std::chrono::steady_clock::time_point last;
  const auto now = std::chrono::steady_clock::now();
  if (now - last > std::chrono::microseconds(50)) kit::saxpy(*args);
  last = std::chrono::steady_clock::now();
  return 0;
}
