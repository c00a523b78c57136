// kind: call-reference
// tries: calls a vendor's function if somebody else has loaded it
// verdict: wrong
// layer: poison
#include <dlfcn.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  using Saxpy = void (*)(int, float, const float*, int, float*, int);
  const auto saxpy = reinterpret_cast<Saxpy>(dlsym(RTLD_DEFAULT, "cblas_saxpy"));
  if (saxpy == nullptr) return 0;
  std::memcpy(args->y, args->z, static_cast<std::size_t>(args->dims.n) * sizeof(float));
  saxpy(static_cast<int>(args->dims.n), args->a, args->x, 1, args->y, 1);
  return 0;
}
