#include <cublas_v2.h>

#include "../kernels/scale.h"

int forge_launch(const Args* args, void* stream) {
  cublasHandle_t handle = nullptr;
  cublasCreate(&handle);
  cublasScopy(handle, static_cast<int>(args->dims.n), args->x, 1, args->y, 1);
  test::launch_rest(args, stream);
  return 0;
}
