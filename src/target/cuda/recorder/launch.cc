// Every way to launch a kernel.
#include <cstring>

#include "recorder.h"

using forge::recorder::Kernel;
using forge::recorder::KernelSettings;
using forge::recorder::LaunchConfiguration;
using forge::recorder::LaunchRecord;
using forge::recorder::Parameter;
using forge::recorder::Recorder;
using forge::recorder::RecordKind;

namespace forge::recorder {

// cudaKernel_t is opaque: ours is the index of the kernel, plus one.
static cudaKernel_t handle_of(std::uint32_t kernel) {
  return reinterpret_cast<cudaKernel_t>(std::uintptr_t{kernel} + 1);
}

// Of a host function's address or of a cudaKernel_t; refuses what is neither.
std::uint32_t find_kernel(const void* function) {
  Recorder& recorder = Recorder::get();
  const auto found = recorder.functions.find(function);
  if (found != recorder.functions.end()) {
    if (found->second == kUnknown) {
      recorder.refuse("kernel %.200s is not in the device code compiled from this source",
                      recorder.unknown_names[function]);
    }
    return found->second;
  }
  const auto index = reinterpret_cast<std::uintptr_t>(function) - 1;
  return index < recorder.setup().kernels.count ? static_cast<std::uint32_t>(index) : kUnknown;
}

int default_dynamic_limit(const Kernel& kernel) {
  const std::uint32_t limit = Recorder::get().setup().device.shared_per_block;
  return static_cast<int>(limit - (kernel.static_shared < limit ? kernel.static_shared : limit));
}

namespace {

// What a launch may say besides its configuration.
struct Extras {
  std::uint32_t cluster[3] = {0, 0, 0};
  std::uint32_t flags = 0;
  int carveout = -1;
  int cluster_policy = -1;
};

cudaError_t take_attribute(const cudaLaunchAttribute& attribute, Extras& extras) {
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
      return cudaSuccess;
    case cudaLaunchAttributeCooperative:
      if (attribute.val.cooperative != 0) extras.flags |= kCooperativeFlag;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      extras.cluster[0] = attribute.val.clusterDim.x;
      extras.cluster[1] = attribute.val.clusterDim.y;
      extras.cluster[2] = attribute.val.clusterDim.z;
      return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      extras.cluster_policy = attribute.val.clusterSchedulingPolicyPreference;
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      if (attribute.val.programmaticStreamSerializationAllowed != 0) {
        extras.flags |= kProgrammaticFlag;
      }
      return cudaSuccess;
#if CUDART_VERSION >= 12080
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      extras.carveout = static_cast<int>(attribute.val.sharedMemCarveout);
      return cudaSuccess;
#endif
    case cudaLaunchAttributeAccessPolicyWindow:
      return Recorder::get().refuse(
          "a launch sets an access policy window: a kernel may not pin its data in the L2 cache");
    default:
      return Recorder::get().refuse(
          "a launch has attribute %d: use cluster dimension and policy, cooperative, programmatic "
          "stream serialization and shared-memory carve-out only",
          static_cast<int>(attribute.id));
  }
}

// As the CUDA runtime would answer; what it would accept and a device would not is found later.
cudaError_t check_configuration(const LaunchConfiguration& c, const Kernel& kernel,
                                const KernelSettings& settings) {
  const Device& device = Recorder::get().setup().device;
  const unsigned long long threads = 1ull * c.block.x * c.block.y * c.block.z;
  const std::uint32_t most =
      kernel.max_threads != 0 ? kernel.max_threads : device.max_threads_per_block;
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0 || c.grid.x > 0x7fffffffu ||
      c.grid.y > 65535 || c.grid.z > 65535 || threads == 0 || c.block.x > 1024 ||
      c.block.y > 1024 || c.block.z > 64 || threads > device.max_threads_per_block) {
    return cudaErrorInvalidConfiguration;
  }
  if (threads > most) return cudaErrorLaunchOutOfResources;
  const int limit = settings.max_dynamic_shared >= 0 ? settings.max_dynamic_shared
                                                     : default_dynamic_limit(kernel);
  // The default limit is allowed to everybody, whatever was set.
  const auto allowed = static_cast<std::size_t>(
      limit > default_dynamic_limit(kernel) ? limit : default_dynamic_limit(kernel));
  return c.shared > allowed ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t check_cluster(const Kernel& kernel, const KernelSettings& settings,
                          const Extras& extras) {
  const std::uint32_t* cluster = extras.cluster[0] != 0 ? extras.cluster : kernel.cluster;
  const unsigned long long blocks = 1ull * cluster[0] * cluster[1] * cluster[2];
  if (blocks > 8 && !settings.non_portable_cluster) return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

void copy_parameters(const Kernel& kernel, void** arguments, std::byte* out) {
  const Recorder& recorder = Recorder::get();
  const auto* parameters = recorder.table<Parameter>(recorder.setup().parameters);
  for (std::uint32_t i = 0; i < kernel.parameters; ++i) {
    const Parameter& parameter = parameters[kernel.first_parameter + i];
    std::memcpy(out + parameter.offset, arguments[i], parameter.bytes);
  }
}

cudaError_t record_launch(const char* function, std::uint32_t index, const LaunchConfiguration& c,
                          void** arguments, const Extras& extras) {
  Recorder& recorder = Recorder::get();
  if (index == kUnknown) return recorder.remember(cudaErrorInvalidDeviceFunction);
  if (!recorder.may_enqueue(function, c.stream)) return cudaErrorNotSupported;
  const Kernel& kernel = recorder.kernel(index);
  const KernelSettings& settings = recorder.settings[index];
  cudaError_t error = check_configuration(c, kernel, settings);
  if (error == cudaSuccess) error = check_cluster(kernel, settings, extras);
  if (error != cudaSuccess) return recorder.remember(error);
  auto* record = recorder.append<LaunchRecord>(RecordKind::kLaunch, kernel.parameter_bytes);
  if (record == nullptr) return cudaErrorNotSupported;
  record->kernel = index;
  const std::uint32_t grid[3] = {c.grid.x, c.grid.y, c.grid.z};
  const std::uint32_t block[3] = {c.block.x, c.block.y, c.block.z};
  std::memcpy(record->grid, grid, sizeof grid);
  std::memcpy(record->block, block, sizeof block);
  std::memcpy(record->cluster, extras.cluster, sizeof extras.cluster);
  record->dynamic_shared = static_cast<std::uint32_t>(c.shared);
  record->flags = extras.flags;
  record->carveout = extras.carveout >= 0 ? extras.carveout : settings.carveout;
  const bool has_cluster = extras.cluster[0] != 0 || kernel.cluster[0] != 0;
  const int policy = extras.cluster_policy >= 0 ? extras.cluster_policy : settings.cluster_policy;
  record->cluster_policy = has_cluster ? static_cast<std::uint32_t>(policy) : 0;
  record->parameter_bytes = kernel.parameter_bytes;
  copy_parameters(kernel, arguments, reinterpret_cast<std::byte*>(record + 1));
  return cudaSuccess;
}

}  // namespace
}  // namespace forge::recorder

using forge::recorder::Extras;
using forge::recorder::find_kernel;
using forge::recorder::record_launch;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream) {
  Recorder::get().configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  Recorder& recorder = Recorder::get();
  if (recorder.configurations.empty()) {
    return recorder.remember(cudaErrorMissingConfiguration);
  }
  const LaunchConfiguration c = recorder.configurations.back();
  recorder.configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const std::uint32_t index = find_kernel(function);
  if (index == forge::recorder::kUnknown) {
    return Recorder::get().remember(cudaErrorInvalidDeviceFunction);
  }
  *kernel = forge::recorder::handle_of(index);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return record_launch("a kernel launch", find_kernel(kernel), {grid, block, shared, stream},
                       arguments, {});
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return record_launch("cudaLaunchKernel", find_kernel(function), {grid, block, shared, stream},
                       arguments, {});
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared, cudaStream_t stream) {
  Extras extras;
  extras.flags = forge::recorder::kCooperativeFlag;
  return record_launch("cudaLaunchCooperativeKernel", find_kernel(function),
                       {grid, block, shared, stream}, arguments, extras);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  Extras extras;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaError_t error = forge::recorder::take_attribute(config->attrs[i], extras);
    if (error != cudaSuccess) return error;
  }
  return record_launch(
      "cudaLaunchKernelExC", find_kernel(function),
      {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, arguments,
      extras);
}
}
