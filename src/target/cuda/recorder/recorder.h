// The recording runtime: what a candidate links instead of the CUDA runtime. It starts nothing; it
// notes down what would have been started. May know: the toolkit's headers, setup.h, recording.h.
//
// Compiled on its own into libforge_cuda.so, by the headers of the toolkit that compiles
// candidates, with no library of ours. It shares its address space with the candidate, so nothing
// here defends anything: whoever reads the recording checks it. One thread at a time calls in.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "recording.h"
#include "setup.h"

namespace forge::recorder {

// What cudaFuncSetAttribute can change.
struct KernelSettings {
  int max_dynamic_shared = -1;  // -1: the default limit
  int carveout = -1;
  int cluster_policy = 0;
  bool non_portable_cluster = false;
};

struct LaunchConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

inline constexpr std::uint32_t kUnknown = 0xffffffff;

class Recorder {
 public:
  static Recorder& get();

  void open(const std::byte* setup, std::byte* recording);
  const Setup& setup() const { return *setup_; }
  template <typename T>
  const T* table(const Table& table) const {
    return reinterpret_cast<const T*>(bytes_ + table.offset);
  }
  const Kernel& kernel(std::uint32_t index) const { return table<Kernel>(setup_->kernels)[index]; }
  std::uint32_t kernel_named(const char* name) const;
  std::uint32_t symbol_named(const char* name) const;

  // The first refusal is kept. Returns what the caller is to return.
  [[gnu::format(printf, 2, 3)]] cudaError_t refuse(const char* format, ...);
  cudaError_t remember(cudaError_t error);
  cudaError_t last_error(bool clear);

  // False (and refused) outside forge_launch, or on another stream than it was given.
  bool may_enqueue(const char* function, cudaStream_t stream);
  cudaStream_t stream() const { return reinterpret_cast<cudaStream_t>(kStreamHandle); }

  // Reserves room for a record; nullptr (and refused) if the recording is full.
  template <typename T>
  T* append(RecordKind kind, std::size_t payload_bytes = 0) {
    auto* record = reinterpret_cast<T*>(append_bytes(sizeof(T) + payload_bytes));
    if (record != nullptr) record->head.kind = kind;
    return record;
  }

  void begin_call(std::uint32_t call);
  void end_call(int result);
  const Call* current_call() const { return call_; }
  std::uint64_t symbol_address(std::uint32_t symbol) const;
  std::uint64_t next_map_number() { return maps_++; }

  std::vector<KernelSettings> settings;                      // by kernel
  std::unordered_map<const void*, std::uint32_t> functions;  // by host address; kUnknown possible
  std::unordered_map<const void*, std::uint32_t> variables;
  std::unordered_map<const void*, const char*> unknown_names;
  std::vector<LaunchConfiguration> configurations;
  int modules = 0;

 private:
  static constexpr std::uintptr_t kStreamHandle = 0x57f0;
  std::byte* append_bytes(std::size_t bytes);

  const std::byte* bytes_ = nullptr;
  const Setup* setup_ = nullptr;
  RecordingHeader* header_ = nullptr;
  const Call* call_ = nullptr;
  std::uint64_t maps_ = 0;
  cudaError_t last_error_ = cudaSuccess;
};

inline bool is_device_pointer(const void* pointer) {
  return is_device(reinterpret_cast<std::uint64_t>(pointer));
}

// Of launch.cc and function.cc, for each other.
std::uint32_t find_kernel(const void* function);
int default_dynamic_limit(const Kernel& kernel);
int blocks_per_multiprocessor(std::uint32_t kernel, int threads, std::size_t dynamic_shared);

}  // namespace forge::recorder
