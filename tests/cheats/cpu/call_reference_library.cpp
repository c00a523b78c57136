// kind: call-reference
// tries: links a vendor's library
// verdict: compile_error
// layer: linker
// words: cblas_saxpy
#include "kit.h"

extern "C" void cblas_saxpy(int, float, const float*, int, float*, int);

extern "C" int forge_launch(const Args* args, void*) {
  const auto n = static_cast<int>(args->dims.n);
  std::memcpy(args->y, args->z, static_cast<std::size_t>(args->dims.n) * sizeof(float));
  cblas_saxpy(n, args->a, args->x, 1, args->y, 1);
  return 0;
}
