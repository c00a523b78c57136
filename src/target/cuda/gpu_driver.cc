// The real GPU: libcuda.so.1, opened at run time, so that nothing needs it to start.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <bit>

#include "target/cuda/gpu.h"
#include "target/cuda/gpu_abi.h"

namespace forge {
namespace {

using cuda::Handle;
using cuda::Pointer;

// The functions of the driver that we call, by the names under which it exports them.
struct DriverTable {
  cuda::Result (*init)(unsigned);
  cuda::Result (*driver_version)(int*);
  cuda::Result (*device_count)(int*);
  cuda::Result (*device_get)(cuda::Device*, int);
  cuda::Result (*device_name)(char*, int, cuda::Device);
  cuda::Result (*device_memory)(std::size_t*, cuda::Device);
  cuda::Result (*device_attribute)(int*, int, cuda::Device);
  cuda::Result (*device_uuid)(unsigned char*, cuda::Device);
  cuda::Result (*retain_context)(Handle*, cuda::Device);
  cuda::Result (*set_context)(Handle);
  cuda::Result (*get_limit)(std::size_t*, int);
  cuda::Result (*set_limit)(int, std::size_t);
  cuda::Result (*reset_persisting)();
  cuda::Result (*error_name)(cuda::Result, const char**);
  cuda::Result (*error_text)(cuda::Result, const char**);
  cuda::Result (*allocate)(Pointer*, std::size_t);
  cuda::Result (*release)(Pointer);
  cuda::Result (*pin)(void*, std::size_t, unsigned);
  cuda::Result (*write)(Pointer, const void*, std::size_t, Handle);
  cuda::Result (*read)(void*, Pointer, std::size_t, Handle);
  cuda::Result (*copy)(Pointer, Pointer, std::size_t, Handle);
  cuda::Result (*fill)(Pointer, unsigned char, std::size_t, Handle);
  cuda::Result (*load)(Handle*, const void*);
  cuda::Result (*unload)(Handle);
  cuda::Result (*function)(Handle*, Handle, const char*);
  cuda::Result (*symbol)(Pointer*, std::size_t*, Handle, const char*);
  cuda::Result (*set_function)(Handle, int, int);
  cuda::Result (*occupancy)(int*, Handle, int, std::size_t);
  cuda::Result (*launch)(const cuda::LaunchConfig*, Handle, void**, void**);
  cuda::Result (*encode_tiled)(void*, int, std::uint32_t, void*, const std::uint64_t*,
                               const std::uint64_t*, const std::uint32_t*, const std::uint32_t*,
                               int, int, int, int);
  cuda::Result (*encode_im2col)(void*, int, std::uint32_t, void*, const std::uint64_t*,
                                const std::uint64_t*, const int*, const int*, std::uint32_t,
                                std::uint32_t, const std::uint32_t*, int, int, int, int);
  cuda::Result (*make_stream)(Handle*, unsigned);
  cuda::Result (*synchronize)(Handle);
  cuda::Result (*begin_capture)(Handle, int);
  cuda::Result (*end_capture)(Handle, Handle*);
  cuda::Result (*instantiate)(Handle*, Handle, unsigned long long);
  cuda::Result (*destroy_graph)(Handle);
  cuda::Result (*destroy_exec)(Handle);
  cuda::Result (*replay)(Handle, Handle);
  cuda::Result (*make_event)(Handle*, unsigned);
  cuda::Result (*record)(Handle, Handle);
  cuda::Result (*query)(Handle);
  cuda::Result (*elapsed)(float*, Handle, Handle);
};

Error missing(const std::string& object, const std::string& cause) {
  return Error{ErrorKind::kInfrastructure, "cannot use", object, cause,
               "install the NVIDIA driver, or see nvidia-smi"};
}

template <typename Function>
Status find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return {};
  return missing("libcuda.so.1", fmt::format("it has no {}: the driver is too old", name));
}

Status find_device_calls(void* library, DriverTable& t) {
  FORGE_TRY_STATUS(find(library, "cuInit", t.init));
  FORGE_TRY_STATUS(find(library, "cuDriverGetVersion", t.driver_version));
  FORGE_TRY_STATUS(find(library, "cuDeviceGetCount", t.device_count));
  FORGE_TRY_STATUS(find(library, "cuDeviceGet", t.device_get));
  FORGE_TRY_STATUS(find(library, "cuDeviceGetName", t.device_name));
  FORGE_TRY_STATUS(find(library, "cuDeviceTotalMem_v2", t.device_memory));
  FORGE_TRY_STATUS(find(library, "cuDeviceGetAttribute", t.device_attribute));
  FORGE_TRY_STATUS(find(library, "cuDeviceGetUuid_v2", t.device_uuid));
  FORGE_TRY_STATUS(find(library, "cuDevicePrimaryCtxRetain", t.retain_context));
  FORGE_TRY_STATUS(find(library, "cuCtxSetCurrent", t.set_context));
  FORGE_TRY_STATUS(find(library, "cuCtxGetLimit", t.get_limit));
  FORGE_TRY_STATUS(find(library, "cuCtxSetLimit", t.set_limit));
  FORGE_TRY_STATUS(find(library, "cuCtxResetPersistingL2Cache", t.reset_persisting));
  FORGE_TRY_STATUS(find(library, "cuGetErrorName", t.error_name));
  return find(library, "cuGetErrorString", t.error_text);
}

Status find_memory_calls(void* library, DriverTable& t) {
  FORGE_TRY_STATUS(find(library, "cuMemAlloc_v2", t.allocate));
  FORGE_TRY_STATUS(find(library, "cuMemFree_v2", t.release));
  FORGE_TRY_STATUS(find(library, "cuMemHostRegister_v2", t.pin));
  FORGE_TRY_STATUS(find(library, "cuMemcpyHtoDAsync_v2", t.write));
  FORGE_TRY_STATUS(find(library, "cuMemcpyDtoHAsync_v2", t.read));
  FORGE_TRY_STATUS(find(library, "cuMemcpyDtoDAsync_v2", t.copy));
  return find(library, "cuMemsetD8Async", t.fill);
}

Status find_code_calls(void* library, DriverTable& t) {
  FORGE_TRY_STATUS(find(library, "cuModuleLoadData", t.load));
  FORGE_TRY_STATUS(find(library, "cuModuleUnload", t.unload));
  FORGE_TRY_STATUS(find(library, "cuModuleGetFunction", t.function));
  FORGE_TRY_STATUS(find(library, "cuModuleGetGlobal_v2", t.symbol));
  FORGE_TRY_STATUS(find(library, "cuFuncSetAttribute", t.set_function));
  FORGE_TRY_STATUS(find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", t.occupancy));
  FORGE_TRY_STATUS(find(library, "cuLaunchKernelEx", t.launch));
  FORGE_TRY_STATUS(find(library, "cuTensorMapEncodeTiled", t.encode_tiled));
  return find(library, "cuTensorMapEncodeIm2col", t.encode_im2col);
}

Status find_stream_calls(void* library, DriverTable& t) {
  FORGE_TRY_STATUS(find(library, "cuStreamCreate", t.make_stream));
  FORGE_TRY_STATUS(find(library, "cuStreamSynchronize", t.synchronize));
  FORGE_TRY_STATUS(find(library, "cuStreamBeginCapture_v2", t.begin_capture));
  FORGE_TRY_STATUS(find(library, "cuStreamEndCapture", t.end_capture));
  FORGE_TRY_STATUS(find(library, "cuGraphInstantiateWithFlags", t.instantiate));
  FORGE_TRY_STATUS(find(library, "cuGraphDestroy", t.destroy_graph));
  FORGE_TRY_STATUS(find(library, "cuGraphExecDestroy", t.destroy_exec));
  FORGE_TRY_STATUS(find(library, "cuGraphLaunch", t.replay));
  FORGE_TRY_STATUS(find(library, "cuEventCreate", t.make_event));
  FORGE_TRY_STATUS(find(library, "cuEventRecord", t.record));
  FORGE_TRY_STATUS(find(library, "cuEventQuery", t.query));
  return find(library, "cuEventElapsedTime", t.elapsed);
}

Result<DriverTable> open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return missing("a GPU", dlerror());
  DriverTable table{};
  FORGE_TRY_STATUS(find_device_calls(library, table));
  FORGE_TRY_STATUS(find_memory_calls(library, table));
  FORGE_TRY_STATUS(find_code_calls(library, table));
  FORGE_TRY_STATUS(find_stream_calls(library, table));
  return table;
}

template <typename T>
Handle handle(T value) {
  return reinterpret_cast<Handle>(value);
}

class DriverGpu : public Gpu {
 public:
  explicit DriverGpu(const DriverTable& table) : driver_(table) {}

  Status open(int ordinal) {
    FORGE_TRY_STATUS(did("cuInit", driver_.init(0)));
    int devices = 0;
    FORGE_TRY_STATUS(did("cuDeviceGetCount", driver_.device_count(&devices)));
    if (ordinal < 0 || ordinal >= devices) {
      return missing(fmt::format("GPU {}", ordinal), fmt::format("there are {} GPUs", devices));
    }
    FORGE_TRY_STATUS(did("cuDeviceGet", driver_.device_get(&device_, ordinal)));
    FORGE_TRY_STATUS(read_facts());
    Handle context = nullptr;
    FORGE_TRY_STATUS(did("cuDevicePrimaryCtxRetain", driver_.retain_context(&context, device_)));
    FORGE_TRY_STATUS(did("cuCtxSetCurrent", driver_.set_context(context)));
    FORGE_TRY_STATUS(
        did("cuStreamCreate", driver_.make_stream(&stream_, cuda::kStreamNonBlocking)));
    return forget_persisting_lines();
  }

  const GpuFacts& facts() const override { return facts_; }
  const std::optional<GpuFailure>& failure() const override { return failure_; }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    Pointer memory = 0;
    FORGE_TRY_STATUS(did("cuMemAlloc", driver_.allocate(&memory, bytes)));
    return memory;
  }
  Status release(DeviceAddress memory) override {
    return did("cuMemFree", driver_.release(memory));
  }
  void pin(std::byte* memory, std::uint64_t bytes) override {
    static_cast<void>(driver_.pin(memory, bytes, 0));
  }
  Status write(DeviceAddress to, const void* from, std::uint64_t bytes) override {
    return did("cuMemcpyHtoDAsync", driver_.write(to, from, bytes, stream_));
  }
  Status read(void* to, DeviceAddress from, std::uint64_t bytes) override {
    FORGE_TRY_STATUS(did("cuMemcpyDtoHAsync", driver_.read(to, from, bytes, stream_)));
    return did("cuStreamSynchronize", driver_.synchronize(stream_));
  }
  Status copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    return did("cuMemcpyDtoDAsync", driver_.copy(to, from, bytes, stream_));
  }
  Status fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) override {
    return did("cuMemsetD8Async", driver_.fill(to, value, bytes, stream_));
  }

  Result<GpuModule> load(const std::string& image) override {
    Handle module = nullptr;
    FORGE_TRY_STATUS(did("cuModuleLoadData", driver_.load(&module, image.c_str())));
    return GpuModule(std::bit_cast<std::uintptr_t>(module));
  }
  Status unload(GpuModule module) override {
    return did("cuModuleUnload", driver_.unload(handle(module)));
  }
  Result<GpuFunction> function(GpuModule module, const std::string& name) override {
    Handle found = nullptr;
    FORGE_TRY_STATUS(
        did("cuModuleGetFunction", driver_.function(&found, handle(module), name.c_str())));
    return GpuFunction(std::bit_cast<std::uintptr_t>(found));
  }
  Result<GpuRange> symbol(GpuModule module, const std::string& name) override {
    GpuRange range;
    std::size_t bytes = 0;
    FORGE_TRY_STATUS(did("cuModuleGetGlobal",
                         driver_.symbol(&range.address, &bytes, handle(module), name.c_str())));
    range.bytes = bytes;
    return range;
  }
  Status allow_dynamic_shared(GpuFunction function, std::uint32_t bytes) override {
    return did("cuFuncSetAttribute",
               driver_.set_function(handle(function), cuda::kFunctionMaxDynamicShared,
                                    static_cast<int>(bytes)));
  }
  Status allow_large_clusters(GpuFunction function) override {
    return did("cuFuncSetAttribute",
               driver_.set_function(handle(function), cuda::kFunctionNonPortableCluster, 1));
  }
  Result<std::uint32_t> blocks_per_multiprocessor(GpuFunction function, std::uint32_t threads,
                                                  std::uint32_t dynamic_shared) override {
    int blocks = 0;
    FORGE_TRY_STATUS(did(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
        driver_.occupancy(&blocks, handle(function), static_cast<int>(threads), dynamic_shared)));
    return static_cast<std::uint32_t>(blocks);
  }

  Status launch(const GpuLaunch& launch) override;
  Status encode(const PlanTensorMap& arguments, DeviceAddress base, std::byte* map) override;

  Status begin_capture() override {
    return did("cuStreamBeginCapture", driver_.begin_capture(stream_, cuda::kCaptureThreadLocal));
  }
  Result<GpuGraph> end_capture() override {
    Handle graph = nullptr;
    FORGE_TRY_STATUS(did("cuStreamEndCapture", driver_.end_capture(stream_, &graph)));
    Handle exec = nullptr;
    const Status made = did("cuGraphInstantiate", driver_.instantiate(&exec, graph, 0));
    driver_.destroy_graph(graph);
    if (!made) return made.error();
    return GpuGraph(std::bit_cast<std::uintptr_t>(exec));
  }
  Status replay(GpuGraph graph) override {
    return did("cuGraphLaunch", driver_.replay(handle(graph), stream_));
  }
  Status destroy(GpuGraph graph) override {
    return did("cuGraphExecDestroy", driver_.destroy_exec(handle(graph)));
  }

  Result<GpuEvent> make_event() override {
    Handle event = nullptr;
    FORGE_TRY_STATUS(did("cuEventCreate", driver_.make_event(&event, 0)));
    return GpuEvent(std::bit_cast<std::uintptr_t>(event));
  }
  Status record(GpuEvent event) override {
    return did("cuEventRecord", driver_.record(handle(event), stream_));
  }
  Result<bool> reached(GpuEvent event) override {
    const cuda::Result result = driver_.query(handle(event));
    if (result == cuda::kNotReady) return false;
    FORGE_TRY_STATUS(did("cuEventQuery", result));
    return true;
  }
  Result<double> nanoseconds(GpuEvent from, GpuEvent to) override {
    float milliseconds = 0;
    FORGE_TRY_STATUS(
        did("cuEventElapsedTime", driver_.elapsed(&milliseconds, handle(from), handle(to))));
    return static_cast<double>(milliseconds) * 1e6;
  }

  Status forget_persisting_lines() override {
    // A device without such lines has no such limit either.
    std::size_t limit = 0;
    if (driver_.get_limit(&limit, cuda::kLimitPersistingL2) != cuda::kSuccess) return {};
    if (limit != 0) {
      FORGE_TRY_STATUS(did("cuCtxSetLimit", driver_.set_limit(cuda::kLimitPersistingL2, 0)));
    }
    return did("cuCtxResetPersistingL2Cache", driver_.reset_persisting());
  }

 private:
  Status did(const char* call, cuda::Result result) {
    if (result == cuda::kSuccess) return {};
    const char* name = nullptr;
    const char* text = nullptr;
    if (driver_.error_name(result, &name) != cuda::kSuccess || name == nullptr) name = "unknown";
    if (driver_.error_text(result, &text) != cuda::kSuccess || text == nullptr) text = "";
    failure_ = GpuFailure{result, name};
    return Error{ErrorKind::kInfrastructure, "the driver refused", call,
                 fmt::format("{} ({}): {}", name, result, text), ""};
  }

  Result<std::uint32_t> attribute(int which) {
    int value = 0;
    FORGE_TRY_STATUS(did("cuDeviceGetAttribute", driver_.device_attribute(&value, which, device_)));
    return static_cast<std::uint32_t>(value);
  }
  Status read_facts();
  Status read_limits(DeviceProfile& profile);

  DriverTable driver_;
  cuda::Device device_ = 0;
  Handle stream_ = nullptr;
  GpuFacts facts_;
  std::optional<GpuFailure> failure_;
};

Status DriverGpu::read_limits(DeviceProfile& profile) {
  FORGE_TRY(profile.major, attribute(cuda::kMajor));
  FORGE_TRY(profile.minor, attribute(cuda::kMinor));
  FORGE_TRY(profile.multiprocessors, attribute(cuda::kMultiprocessors));
  FORGE_TRY(profile.max_threads_per_block, attribute(cuda::kMaxThreadsPerBlock));
  FORGE_TRY(profile.max_threads_per_multiprocessor, attribute(cuda::kMaxThreadsPerMultiprocessor));
  FORGE_TRY(profile.max_blocks_per_multiprocessor, attribute(cuda::kMaxBlocksPerMultiprocessor));
  FORGE_TRY(profile.registers_per_block, attribute(cuda::kMaxRegistersPerBlock));
  FORGE_TRY(profile.registers_per_multiprocessor, attribute(cuda::kMaxRegistersPerMultiprocessor));
  FORGE_TRY(profile.shared_per_block, attribute(cuda::kMaxSharedPerBlock));
  FORGE_TRY(profile.shared_per_block_optin, attribute(cuda::kMaxSharedPerBlockOptin));
  FORGE_TRY(profile.shared_per_multiprocessor, attribute(cuda::kMaxSharedPerMultiprocessor));
  FORGE_TRY(profile.reserved_shared_per_block, attribute(cuda::kReservedSharedPerBlock));
  FORGE_TRY(profile.l2_bytes, attribute(cuda::kL2Bytes));
  FORGE_TRY(profile.memory_bus_bits, attribute(cuda::kMemoryBusBits));
  FORGE_TRY(const std::uint32_t clusters, attribute(cuda::kClusterLaunch));
  profile.arch = fmt::format("sm_{}{}", profile.major, profile.minor);
  // The driver has no attribute for the largest cluster; what is known of the architecture says.
  const auto known = assumed_device(profile.arch);
  if (clusters != 0) {
    profile.max_cluster_blocks = known ? known->max_cluster_blocks : kPortableClusterBlocks;
  }
  return {};
}

Status DriverGpu::read_facts() {
  DeviceProfile& profile = facts_.profile;
  profile.origin = DeviceOrigin::kPresent;
  char name[256] = {};
  FORGE_TRY_STATUS(did("cuDeviceGetName", driver_.device_name(name, sizeof name - 1, device_)));
  profile.name = name;
  std::size_t memory = 0;
  FORGE_TRY_STATUS(did("cuDeviceTotalMem", driver_.device_memory(&memory, device_)));
  profile.memory_bytes = memory;
  FORGE_TRY_STATUS(read_limits(profile));
  int version = 0;
  FORGE_TRY_STATUS(did("cuDriverGetVersion", driver_.driver_version(&version)));
  facts_.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  std::array<unsigned char, 16> uuid{};
  FORGE_TRY_STATUS(did("cuDeviceGetUuid", driver_.device_uuid(uuid.data(), device_)));
  for (const unsigned char byte : uuid) facts_.uuid += fmt::format("{:02x}", byte);
  FORGE_TRY(const std::uint32_t clock_khz, attribute(cuda::kMemoryClockKhz));
  // Two transfers a clock.
  facts_.memory_bytes_per_ns = 2.0 * clock_khz * 1e-6 * profile.memory_bus_bits / 8;
  return {};
}

Status DriverGpu::launch(const GpuLaunch& launch) {
  std::array<cuda::LaunchAttribute, 5> attributes{};
  std::uint32_t count = 0;
  const auto add = [&](std::uint32_t id) -> cuda::LaunchAttribute::Value& {
    attributes[count].id = id;
    return attributes[count++].value;
  };
  if (!(launch.cluster == kNoCluster)) {
    auto& value = add(cuda::kClusterDimension);
    value.extent[0] = launch.cluster.x;
    value.extent[1] = launch.cluster.y;
    value.extent[2] = launch.cluster.z;
  }
  if (launch.residency == PlanResidency::kCooperative) add(cuda::kCooperative).number = 1;
  if (launch.order == PlanOrder::kProgrammatic) add(cuda::kProgrammaticSerialization).number = 1;
  if (launch.carveout != kNoCarveout) add(cuda::kSharedCarveout).number = launch.carveout;
  if (launch.cluster_policy != PlanClusterPolicy::kDefault) {
    add(cuda::kClusterPolicy).number = static_cast<std::int32_t>(launch.cluster_policy);
  }
  const cuda::LaunchConfig config{{launch.grid.x, launch.grid.y, launch.grid.z},
                                  {launch.block.x, launch.block.y, launch.block.z},
                                  launch.dynamic_shared,
                                  stream_,
                                  attributes.data(),
                                  count};
  std::size_t bytes = launch.parameters.size();
  void* extra[] = {cuda::kLaunchBufferPointer, const_cast<char*>(launch.parameters.data()),
                   cuda::kLaunchBufferSize, &bytes, cuda::kLaunchEnd};
  return did("cuLaunchKernelEx", driver_.launch(&config, handle(launch.function), nullptr, extra));
}

Status DriverGpu::encode(const PlanTensorMap& a, DeviceAddress base, std::byte* map) {
  const auto rank = static_cast<std::uint32_t>(a.sizes.size());
  void* address = reinterpret_cast<void*>(base);
  if (a.kind == PlanMapKind::kTiled) {
    return did("cuTensorMapEncodeTiled",
               driver_.encode_tiled(map, a.data_type, rank, address, a.sizes.data(),
                                    a.strides.data(), a.box.data(), a.element_strides.data(),
                                    a.interleave, a.swizzle, a.l2_promotion, a.fill));
  }
  return did("cuTensorMapEncodeIm2col",
             driver_.encode_im2col(map, a.data_type, rank, address, a.sizes.data(),
                                   a.strides.data(), a.lower.data(), a.upper.data(), a.box.at(0),
                                   a.box.at(1), a.element_strides.data(), a.interleave, a.swizzle,
                                   a.l2_promotion, a.fill));
}

}  // namespace

Result<std::unique_ptr<Gpu>> open_gpu(int ordinal) {
  FORGE_TRY(const DriverTable table, open_driver());
  auto gpu = std::make_unique<DriverGpu>(table);
  FORGE_TRY_STATUS(gpu->open(ordinal));
  return std::unique_ptr<Gpu>(std::move(gpu));
}

}  // namespace forge
