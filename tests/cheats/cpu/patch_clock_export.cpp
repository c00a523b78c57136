// kind: patch-clock
// tries: interposes std::chrono's clock and the time stamp functions
// verdict: wrong
// layer: poison
#include <chrono>

#include "kit.h"

namespace std::chrono {
__attribute__((visibility("default"))) steady_clock::time_point steady_clock::now() noexcept {
  return {};
}
}  // namespace std::chrono

extern "C" int forge_launch(const Args*, void*) { return 0; }
