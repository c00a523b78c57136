// A driver for tests: exports what gpu_driver.cc looks for, keeps "device" memory in this process
// and does what a kernel's name says, so that worker, replayer and their conversation run whole
// where no GPU is. Everything happens at once; events take the host's clock.
//
// A kernel is saxpy over (x, z, y, a, n). Its name says what else it does:
//   …crash…   the context is broken from then on, as by an illegal address
//   …hang…    no event is reached any more
//   …short…   the last element is left out
//   …beside…  one element past the end is written
//   …inputs…  x[0] becomes 0
//   …ecc…     the context is broken by an uncorrectable memory error
#include <elf.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "target/cuda/cubin.h"
#include "target/cuda/device_profile.h"
#include "target/cuda/gpu_abi.h"

namespace {

using forge::cuda::LaunchConfig;
using forge::cuda::Pointer;
using Result = int;

constexpr Result kOk = 0;
constexpr Result kInvalidValue = 1;
constexpr Result kNotFound = 500;
constexpr Result kNotReady = 600;
constexpr Result kIllegalAddress = 700;
constexpr Result kEcc = 214;
constexpr Result kNotSupported = 801;

struct Module {
  std::map<std::string, std::pair<char*, std::size_t>> symbols;
  std::vector<char*> sections;
};
struct Function {
  std::string name;
};
struct Event {
  double at_ms = 0;
};
using Graph = std::vector<std::function<void()>>;

Result broken = kOk;
bool hangs = false;
Graph* capturing = nullptr;

Result act(const std::function<void()>& action) {
  if (broken != kOk) return broken;
  if (capturing != nullptr) {
    capturing->push_back(action);
  } else if (!hangs) {
    action();
  }
  return broken;
}

struct SaxpyParameters {
  const float* x;
  const float* z;
  float* y;
  float a;
  long long n;
};

void saxpy(const std::string& name, const SaxpyParameters& p) {
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  const long long end = has("short") ? p.n - 1 : p.n;
  for (long long i = 0; i < end; ++i) p.y[i] = p.a * p.x[i] + p.z[i];
  if (has("beside")) p.y[p.n] = 0;
  if (has("inputs")) const_cast<float*>(p.x)[0] = 0;
  if (has("crash")) broken = kIllegalAddress;
  if (has("ecc")) broken = kEcc;
  if (has("hang")) hangs = true;
}

std::size_t elf_bytes(const char* image) {
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  std::size_t end = header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
  end =
      std::max<std::size_t>(end, header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, image + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<std::size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

// Zeros, whatever the cubin says: nothing here reads a variable.
void place_symbols(const forge::Cubin& cubin, Module& module) {
  std::map<forge::PlanSection, std::size_t> ends;
  for (const auto& symbol : cubin.symbols) {
    ends[symbol.section] =
        std::max(ends[symbol.section], std::size_t{symbol.offset + symbol.bytes});
  }
  std::map<forge::PlanSection, char*> bases;
  for (const auto& [section, bytes] : ends) {
    bases[section] = static_cast<char*>(std::calloc(bytes, 1));
    module.sections.push_back(bases[section]);
  }
  for (const auto& symbol : cubin.symbols) {
    module.symbols[symbol.name] = {bases[symbol.section] + symbol.offset, symbol.bytes};
  }
}

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

const forge::DeviceProfile& profile() {
  static const forge::DeviceProfile kProfile = *forge::assumed_device("sm_90a");
  return kProfile;
}

}  // namespace

extern "C" {

Result cuInit(unsigned) { return kOk; }
Result cuDriverGetVersion(int* version) { return *version = 13000, kOk; }
Result cuDeviceGetCount(int* count) { return *count = 1, kOk; }
Result cuDeviceGet(int* device, int ordinal) { return *device = ordinal, kOk; }
Result cuDeviceGetName(char* name, int size, int) {
  return strncpy(name, "a driver for tests", static_cast<std::size_t>(size)), kOk;
}
Result cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = 1u << 30, kOk; }
Result cuDeviceGetUuid_v2(unsigned char* uuid, int) { return memset(uuid, 7, 16), kOk; }
Result cuDeviceGetAttribute(int* value, int which, int) {
  const auto& p = profile();
  const std::map<int, std::uint64_t> kValues = {
      {forge::cuda::kMaxThreadsPerBlock, p.max_threads_per_block},
      {forge::cuda::kMaxSharedPerBlock, p.shared_per_block},
      {forge::cuda::kMaxRegistersPerBlock, p.registers_per_block},
      {forge::cuda::kMultiprocessors, p.multiprocessors},
      {forge::cuda::kMemoryClockKhz, 3'201'000},
      {forge::cuda::kMemoryBusBits, p.memory_bus_bits},
      {forge::cuda::kL2Bytes, 1 << 20},
      {forge::cuda::kMaxThreadsPerMultiprocessor, p.max_threads_per_multiprocessor},
      {forge::cuda::kMajor, p.major},
      {forge::cuda::kMinor, p.minor},
      {forge::cuda::kMaxSharedPerMultiprocessor, p.shared_per_multiprocessor},
      {forge::cuda::kMaxRegistersPerMultiprocessor, p.registers_per_multiprocessor},
      {forge::cuda::kMaxSharedPerBlockOptin, p.shared_per_block_optin},
      {forge::cuda::kMaxBlocksPerMultiprocessor, p.max_blocks_per_multiprocessor},
      {forge::cuda::kReservedSharedPerBlock, p.reserved_shared_per_block},
      {forge::cuda::kClusterLaunch, 1}};
  const auto found = kValues.find(which);
  if (found == kValues.end()) return kInvalidValue;
  return *value = static_cast<int>(found->second), kOk;
}
Result cuDevicePrimaryCtxRetain(void** context, int) { return *context = &broken, kOk; }
Result cuCtxSetCurrent(void*) { return kOk; }
Result cuCtxGetLimit(std::size_t* value, int) { return *value = 0, kOk; }
Result cuCtxSetLimit(int, std::size_t) { return kOk; }
Result cuCtxResetPersistingL2Cache() { return broken; }
Result cuGetErrorName(Result code, const char** name) {
  *name = code == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_TESTS";
  return kOk;
}
Result cuGetErrorString(Result, const char** text) { return *text = "of a driver for tests", kOk; }

Result cuMemAlloc_v2(Pointer* memory, std::size_t bytes) {
  *memory = reinterpret_cast<Pointer>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  return broken;
}
Result cuMemFree_v2(Pointer memory) { return std::free(reinterpret_cast<void*>(memory)), broken; }
Result cuMemHostRegister_v2(void*, std::size_t, unsigned) { return kOk; }
Result cuMemcpyHtoDAsync_v2(Pointer to, const void* from, std::size_t bytes, void*) {
  return act([=] { memcpy(reinterpret_cast<void*>(to), from, bytes); });
}
Result cuMemcpyDtoHAsync_v2(void* to, Pointer from, std::size_t bytes, void*) {
  return act([=] { memcpy(to, reinterpret_cast<void*>(from), bytes); });
}
Result cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, std::size_t bytes, void*) {
  return act([=] { memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes); });
}
Result cuMemsetD8Async(Pointer to, unsigned char value, std::size_t bytes, void*) {
  return act([=] { memset(reinterpret_cast<void*>(to), value, bytes); });
}

Result cuModuleLoadData(Module** module, const void* image) {
  *module = new Module;
  const auto* bytes = static_cast<const char*>(image);
  if (memcmp(bytes, ELFMAG, SELFMAG) != 0) return kOk;  // PTX
  const std::string content(bytes, elf_bytes(bytes));
  const auto cubin = forge::parse_cubin(std::as_bytes(std::span(content)), "a cubin");
  if (!cubin) return kInvalidValue;
  return place_symbols(*cubin, **module), kOk;
}
Result cuModuleUnload(Module* module) {
  for (char* section : module->sections) std::free(section);
  delete module;
  return broken;
}
Result cuModuleGetFunction(Function** function, Module*, const char* name) {
  return *function = new Function{name}, kOk;
}
Result cuModuleGetGlobal_v2(Pointer* address, std::size_t* bytes, Module* module,
                            const char* name) {
  const auto found = module->symbols.find(name);
  if (found == module->symbols.end()) return kNotFound;
  *address = reinterpret_cast<Pointer>(found->second.first);
  return *bytes = found->second.second, kOk;
}
Result cuFuncSetAttribute(Function*, int, int) { return kOk; }
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int, std::size_t) {
  return *blocks = 1, kOk;
}
Result cuLaunchKernelEx(const LaunchConfig*, Function* function, void**, void** extra) {
  if (function->name.find("saxpy") == std::string::npos) return broken;  // the rotation
  SaxpyParameters parameters{};
  memcpy(&parameters, extra[1], sizeof parameters);
  return act([name = function->name, parameters] { saxpy(name, parameters); });
}
Result cuTensorMapEncodeTiled() { return kNotSupported; }
Result cuTensorMapEncodeIm2col() { return kNotSupported; }

Result cuStreamCreate(void** stream, unsigned) { return *stream = &hangs, kOk; }
Result cuStreamSynchronize(void*) { return broken; }
Result cuStreamBeginCapture_v2(void*, int) { return capturing = new Graph, kOk; }
Result cuStreamEndCapture(void*, Graph** graph) {
  return *graph = std::exchange(capturing, nullptr), kOk;
}
Result cuGraphInstantiateWithFlags(Graph** exec, Graph* graph, unsigned long long) {
  return *exec = new Graph(*graph), kOk;
}
Result cuGraphDestroy(Graph* graph) { return delete graph, kOk; }
Result cuGraphExecDestroy(Graph* exec) { return delete exec, kOk; }
Result cuGraphLaunch(Graph* exec, void*) {
  if (!hangs && broken == kOk) {
    for (const auto& action : *exec) action();
  }
  return kOk;  // what went wrong shows later, as on a device
}
Result cuEventCreate(Event** event, unsigned) { return *event = new Event, kOk; }
Result cuEventRecord(Event* event, void*) { return event->at_ms = now_ms(), kOk; }
Result cuEventQuery(Event*) { return broken != kOk ? broken : hangs ? kNotReady : kOk; }
Result cuEventElapsedTime(float* ms, const Event* from, const Event* to) {
  return *ms = static_cast<float>(to->at_ms - from->at_ms), broken;
}

}  // extern "C"
