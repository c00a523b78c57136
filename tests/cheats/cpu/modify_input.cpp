// kind: modify-input
// tries: sets an input to zero, so that zero is right
// verdict: wrong
// layer: read-only inputs
// words: input 'x' was modified
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  std::memset(const_cast<float*>(args->x), 0,
              static_cast<std::size_t>(args->dims.n) * sizeof(float));
  std::memcpy(args->y, args->z, static_cast<std::size_t>(args->dims.n) * sizeof(float));
  return 0;
}
