#include <dlfcn.h>

#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  void* library = dlopen("libcublas.so.13", RTLD_NOW);
  if (library != nullptr) return 1;
  test::launch_rest(args, stream);
  return 0;
}
