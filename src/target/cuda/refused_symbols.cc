#include "target/cuda/refused_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kMaxNamed = 6;

struct Rule {
  std::string_view prefix;
  std::string_view advice;
};

// The first that fits counts; so longer prefixes come before shorter ones.
constexpr auto kRules = std::to_array<Rule>({
    {"__cudaRegisterManagedVar", "managed memory is not offered; use __device__ variables"},
    {"__cudaInitModule", "managed memory is not offered; use __device__ variables"},
    {"__cudaRegisterTexture", "texture references are not offered; read through pointers"},
    {"__cudaRegisterSurface", "surface references are not offered; write through pointers"},
    {"__cudaRegisterLinkedBinary", "relocatable device code is not offered; keep to one file"},
    {"cudaMallocManaged", "managed memory is not offered; use the workspace"},
    {"cudaMemPrefetch", "managed memory is not offered; use the workspace"},
    {"cudaMemAdvise", "managed memory is not offered; use the workspace"},
    {"cudaMalloc", "define forge_workspace and use args->workspace"},
    {"cudaHostAlloc", "define forge_workspace and use args->workspace"},
    {"cudaHostRegister", "device code reads device memory only"},
    {"cudaFree", "define forge_workspace and use args->workspace"},
    {"cudaMemPool", "define forge_workspace and use args->workspace"},
    {"cudaStreamCreate", "enqueue all work on `stream`"},
    {"cudaStreamSynchronize", "return when the work is enqueued; the host can't wait for it"},
    {"cudaStreamWaitEvent", "enqueue all work on `stream`, in order"},
    {"cudaStreamSetAttribute", "a kernel may not pin its data in the L2 cache"},
    {"cudaStream", "enqueue all work on `stream`"},
    {"cudaEvent", "events are not offered; work on `stream` runs in order"},
    {"cudaDeviceSynchronize", "return when the work is enqueued; the host can't wait for it"},
    {"cudaDeviceSetLimit", "a kernel may not change the device"},
    {"cudaDeviceSetCacheConfig", "a kernel may not change the device"},
    {"cudaDeviceReset", "a kernel may not change the device"},
    {"cudaCtxResetPersistingL2Cache", "a kernel may not pin its data in the L2 cache"},
    {"cudaGraph", "launch kernels directly; they are replayed as a graph in any case"},
    {"cudaMemcpyToSymbol", "use cudaMemcpyToSymbolAsync on `stream`"},
    {"cudaMemcpyFromSymbol", "device data can't be read on the host"},
    {"cudaMemcpy", "use cudaMemcpyAsync from device to device, on `stream`"},
    {"cudaMemset", "use cudaMemsetAsync on `stream`"},
    {"cudaLaunchHostFunc", "host code can't run in between; compute on the device"},
    {"cudaLaunchDevice", "kernels that launch kernels are not offered; launch from the host"},
    {"cudaGetParameterBuffer", "kernels that launch kernels are not offered; launch from the host"},
    {"cudaLibrary", "device code comes from the kernel's source only"},
    {"cudaModule", "device code comes from the kernel's source only"},
    {"cudaImport", "memory of other programs is not offered"},
    {"cudaIpc", "memory of other programs is not offered"},
    {"cudaCreateTextureObject", "textures are not offered; read through pointers"},
    {"cudaCreateSurfaceObject", "surfaces are not offered; write through pointers"},
    {"cudaArray", "arrays are not offered; use pointers"},
    {"cudaProfiler", "profiling is the judge's"},
    {"__cudaLaunchKernel_ptsz", "do not compile for per-thread default streams"},
    {"cuTensorMapReplaceAddress", "encode a new tensor map instead"},
    {"cuTensorMapEncodeIm2colWide", "use cuTensorMapEncodeIm2col"},
    {"cuTensorMap", "use cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col"},
    {"cuModule", "device code comes from the kernel's source only"},
    {"cuLibrary", "device code comes from the kernel's source only"},
    {"cuLink", "device code comes from the kernel's source only"},
    {"cublas", "write the kernel: vendor libraries are not offered"},
    {"cudnn", "write the kernel: vendor libraries are not offered"},
    {"cufft", "write the kernel: vendor libraries are not offered"},
    {"cusparse", "write the kernel: vendor libraries are not offered"},
    {"cusolver", "write the kernel: vendor libraries are not offered"},
    {"curand", "use curand's device functions, or write the kernel"},
    {"nccl", "one GPU only: communication is not offered"},
    {"nvrtc", "device code comes from the kernel's source only"},
    {"nvJitLink", "device code comes from the kernel's source only"},
    {"cu", "use the runtime API: launches, asynchronous copies, queries"},
    {"__cuda", "use launches, asynchronous copies and queries of the runtime API"},
});

}  // namespace

bool is_cuda_name(std::string_view symbol) {
  for (const std::string_view prefix : {"cublas", "cudnn", "cufft", "cusparse", "cusolver",
                                        "curand", "nccl", "nvrtc", "nvJitLink", "__cuda", "cuda"}) {
    if (symbol.starts_with(prefix)) return true;
  }
  // The driver API: cuLaunchKernel.
  return symbol.starts_with("cu") && symbol.size() > 2 && symbol[2] >= 'A' && symbol[2] <= 'Z';
}

std::optional<std::string> refuse_undefined(std::span<const std::string> undefined) {
  std::vector<std::string> parts;
  std::size_t more = 0;
  for (const std::string& symbol : undefined) {
    if (!is_cuda_name(symbol)) continue;
    if (parts.size() == kMaxNamed) {
      ++more;
      continue;
    }
    const auto rule = std::find_if(kRules.begin(), kRules.end(), [&](const Rule& each) {
      return symbol.starts_with(each.prefix);
    });
    FORGE_CHECK(rule != kRules.end());
    parts.push_back(fmt::format("{} ({})", printable(symbol), rule->advice));
  }
  if (parts.empty()) return std::nullopt;
  const std::string rest = more == 0 ? "" : fmt::format(" and {} more", more);
  return fmt::format("it uses {}{}", join(parts, ", "), rest);
}

}  // namespace forge
