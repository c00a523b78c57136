// Tensor maps: the driver's functions by their names, or by cudaGetDriverEntryPoint.
#include <cuda.h>

#include <algorithm>
#include <cstring>

#include "recorder.h"
#include "target/cuda/tensor_map_rules.h"

using forge::recorder::Recorder;
using forge::recorder::RecordKind;
using forge::recorder::TensorMapMark;
using forge::recorder::TensorMapRecord;
using forge::tensor_map::Arguments;

namespace {

void write_mark(CUtensorMap* map, std::uint64_t number) {
  TensorMapMark mark;
  mark.nonce = Recorder::get().setup().nonce;
  mark.number = number;
  for (int i = 0; i < 14; i += 2) {
    mark.repeated[i] = mark.nonce;
    mark.repeated[i + 1] = mark.number;
  }
  static_assert(sizeof mark == sizeof *map);
  std::memcpy(map, &mark, sizeof mark);
}

TensorMapRecord* append_map(CUtensorMap* map) {
  Recorder& recorder = Recorder::get();
  auto* record = recorder.append<TensorMapRecord>(RecordKind::kTensorMap);
  if (record == nullptr) return nullptr;
  record->number = recorder.next_map_number();
  write_mark(map, record->number);
  return record;
}

bool in_call(const char* function) {
  if (Recorder::get().current_call() != nullptr) return true;
  Recorder::get().refuse("%s was called outside forge_launch", function);
  return false;
}

Arguments memory_arguments(CUtensorMapDataType type, cuuint32_t rank, void* address,
                           const cuuint64_t* sizes, const cuuint64_t* strides,
                           const cuuint32_t* element_strides) {
  Arguments a;
  a.data_type = type;
  a.rank = rank;
  a.address = reinterpret_cast<std::uint64_t>(address);
  a.sizes = sizes;
  a.strides = strides;
  a.element_strides = element_strides;
  return a;
}

void set_modes(Arguments& a, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
               CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  a.interleave = interleave;
  a.swizzle = swizzle;
  a.l2_promotion = promotion;
  a.fill = fill;
}

CUresult encode(CUtensorMap* map, const Arguments& a) {
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % 64 != 0 ||
      forge::tensor_map::fault(a) != nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  TensorMapRecord* record = append_map(map);
  if (record == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  record->address = a.address;
  record->im2col = a.im2col ? 1 : 0;
  record->data_type = a.data_type;
  record->rank = a.rank;
  record->interleave = a.interleave;
  record->swizzle = a.swizzle;
  record->l2_promotion = a.l2_promotion;
  record->fill = a.fill;
  std::copy_n(a.sizes, a.rank, record->sizes);
  std::copy_n(a.strides, a.rank - 1, record->strides);
  std::copy_n(a.box, a.im2col ? 2 : a.rank, record->box);
  if (a.im2col) {
    std::copy_n(a.lower, a.rank - 2, record->lower);
    std::copy_n(a.upper, a.rank - 2, record->upper);
  }
  std::copy_n(a.element_strides, a.rank, record->element_strides);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  if (!in_call("cuTensorMapEncodeTiled")) return CUDA_ERROR_NOT_SUPPORTED;
  Arguments a = memory_arguments(type, rank, address, sizes, strides, element_strides);
  set_modes(a, interleave, swizzle, promotion, fill);
  a.box = box;
  return encode(map, a);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                 const int* lower, const int* upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t* element_strides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  if (!in_call("cuTensorMapEncodeIm2col")) return CUDA_ERROR_NOT_SUPPORTED;
  const std::uint32_t box[2] = {channels, pixels};
  Arguments a = memory_arguments(type, rank, address, sizes, strides, element_strides);
  set_modes(a, interleave, swizzle, promotion, fill);
  a.im2col = true;
  a.box = box;
  a.lower = lower;
  a.upper = upper;
  return encode(map, a);
}

static cudaError_t entry_point(const char* name, void** function,
                               cudaDriverEntryPointQueryResult* status) {
  *function = nullptr;
  if (std::strcmp(name, "cuTensorMapEncodeTiled") == 0) {
    *function = reinterpret_cast<void*>(&cuTensorMapEncodeTiled);
  } else if (std::strcmp(name, "cuTensorMapEncodeIm2col") == 0) {
    *function = reinterpret_cast<void*>(&cuTensorMapEncodeIm2col);
  }
  if (status != nullptr) {
    *status =
        *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  if (*function != nullptr) return cudaSuccess;
  return Recorder::get().refuse(
      "driver function %.100s: a kernel may call cuTensorMapEncodeTiled and "
      "cuTensorMapEncodeIm2col of the driver API, and the runtime API for launches",
      name);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return entry_point(name, function, status);
}

#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return entry_point(name, function, status);
}
#endif
}
