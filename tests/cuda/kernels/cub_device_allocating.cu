#include <cub/device/device_scan.cuh>

#include "scale.h"

int forge_launch(const Args* args, void* stream) {
  std::size_t bytes = 0;
  void* storage = nullptr;
  const auto n = static_cast<int>(args->dims.n);
  cub::DeviceScan::InclusiveSum(storage, bytes, args->x, args->y, n, test::stream_of(stream));
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, args->x, args->y, n, test::stream_of(stream));
  cudaFree(storage);
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
