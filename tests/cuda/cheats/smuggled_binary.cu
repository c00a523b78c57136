// Device code in a byte array, to be loaded at run time.
#include <cuda.h>

#include "../kernels/scale.h"

alignas(8) static const unsigned char image[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};

int forge_launch(const Args* args, void* stream) {
  CUmodule module = nullptr;
  cuModuleLoadData(&module, image);
  test::launch_rest(args, stream);
  return 0;
}
