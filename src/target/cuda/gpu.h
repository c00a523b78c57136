// One GPU as a replayer uses it: a device, a context, a stream, and little else of the driver's
// API. The only thing in this module with side effects on a device. Real: gpu_driver.cc, which
// opens libcuda.so.1 at run time. Fake: gpu_fake.h. May know: base, device_profile.h, plan.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/plan.h"

namespace forge {

using DeviceAddress = std::uint64_t;

// Handles, each of a kind of its own; the driver's pointers in the real one.
enum class GpuModule : std::uintptr_t {};
enum class GpuFunction : std::uintptr_t {};
enum class GpuGraph : std::uintptr_t {};
enum class GpuEvent : std::uintptr_t {};

struct GpuRange {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
};

// A launch as the driver takes it. `parameters` is the kernel's whole parameter block.
struct GpuLaunch {
  GpuFunction function{};
  PlanExtent grid;
  PlanExtent block;
  PlanExtent cluster = kNoCluster;
  std::uint32_t dynamic_shared = 0;
  PlanResidency residency = PlanResidency::kAny;
  PlanOrder order = PlanOrder::kSerial;
  std::int32_t carveout = kNoCarveout;
  PlanClusterPolicy cluster_policy = PlanClusterPolicy::kDefault;
  std::string_view parameters;
};

// The last call of the driver that failed.
struct GpuFailure {
  int code = 0;      // CUresult
  std::string name;  // "CUDA_ERROR_ILLEGAL_ADDRESS"
};

struct GpuFacts {
  DeviceProfile profile;  // its `arch` is the plain one: "sm_90"
  std::string driver;     // "CUDA 13.0"
  std::string uuid;
  double memory_bytes_per_ns = 0;  // what bus and clock allow; 0: unknown
};

// Everything is ordered on one stream unless it says otherwise. Not thread-safe.
class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual const GpuFacts& facts() const = 0;
  virtual const std::optional<GpuFailure>& failure() const = 0;

  virtual Result<DeviceAddress> allocate(std::uint64_t bytes) = 0;
  virtual Status release(DeviceAddress memory) = 0;
  // Makes copies to and from host memory fast where that is possible; the memory must outlive the
  // Gpu.
  virtual void pin(std::byte* memory, std::uint64_t bytes) = 0;
  virtual Status write(DeviceAddress to, const void* from, std::uint64_t bytes) = 0;
  virtual Status read(void* to, DeviceAddress from, std::uint64_t bytes) = 0;
  virtual Status copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) = 0;
  virtual Status fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) = 0;

  virtual Result<GpuModule> load(const std::string& image) = 0;  // cubin or PTX
  virtual Status unload(GpuModule module) = 0;
  virtual Result<GpuFunction> function(GpuModule module, const std::string& name) = 0;
  virtual Result<GpuRange> symbol(GpuModule module, const std::string& name) = 0;
  virtual Status allow_dynamic_shared(GpuFunction function, std::uint32_t bytes) = 0;
  virtual Status allow_large_clusters(GpuFunction function) = 0;
  virtual Result<std::uint32_t> blocks_per_multiprocessor(GpuFunction function,
                                                          std::uint32_t threads,
                                                          std::uint32_t dynamic_shared) = 0;
  virtual Status launch(const GpuLaunch& launch) = 0;
  // `map` has kTensorMapBytes and is aligned to kTensorMapAlignment.
  virtual Status encode(const PlanTensorMap& arguments, DeviceAddress base, std::byte* map) = 0;

  // Between the two, work is recorded and not done. The host memory of recorded writes must stay
  // as it is while the graph lives.
  virtual Status begin_capture() = 0;
  virtual Result<GpuGraph> end_capture() = 0;
  virtual Status replay(GpuGraph graph) = 0;
  virtual Status destroy(GpuGraph graph) = 0;

  virtual Result<GpuEvent> make_event() = 0;
  virtual Status record(GpuEvent event) = 0;
  virtual Result<bool> reached(GpuEvent event) = 0;
  virtual Result<double> nanoseconds(GpuEvent from, GpuEvent to) = 0;

  // Lines that were kept in the L2 become ordinary ones, and none is kept from here on. Not on the
  // stream: the work before it must have ended.
  virtual Status forget_persisting_lines() = 0;
};

// The driver of this machine and its `ordinal`-th device. An error says what is missing.
Result<std::unique_ptr<Gpu>> open_gpu(int ordinal);

// Whom a failure of the driver speaks against.
enum class GpuBlame {
  kKernel,         // its code did something that ended the context
  kLaunch,         // it asked for what the device can't give; nothing ran
  kInfrastructure  // the machine's or ours: never the kernel's
};
// `code` is a CUresult. What is not known to be the kernel's is infrastructure.
GpuBlame blame_of(int code);

}  // namespace forge
