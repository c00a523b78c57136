// Memory: memsets, device-to-device copies, writes to module variables; all asynchronous.
#include <cstring>

#include "recorder.h"

using forge::recorder::CopyRecord;
using forge::recorder::is_device_pointer;
using forge::recorder::kUnknown;
using forge::recorder::MemsetRecord;
using forge::recorder::Recorder;
using forge::recorder::RecordKind;
using forge::recorder::Symbol;
using forge::recorder::WriteRecord;

namespace {

// Where `bytes` at `offset` of a module variable lie in this call; 0 and an error if nowhere.
std::uint64_t place_in_symbol(const void* symbol, std::size_t bytes, std::size_t offset,
                              cudaError_t& error) {
  Recorder& recorder = Recorder::get();
  const auto found = recorder.variables.find(symbol);
  if (found == recorder.variables.end() || found->second == kUnknown) {
    error = recorder.remember(cudaErrorInvalidSymbol);
    return 0;
  }
  const std::uint64_t size = recorder.table<Symbol>(recorder.setup().symbols)[found->second].bytes;
  if (offset > size || size - offset < bytes) {
    error = recorder.remember(cudaErrorInvalidValue);
    return 0;
  }
  error = cudaSuccess;
  return recorder.symbol_address(found->second) + offset;
}

cudaError_t record_copy(std::uint64_t target, std::uint64_t source, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  auto* record = Recorder::get().append<CopyRecord>(RecordKind::kCopy);
  if (record == nullptr) return cudaErrorNotSupported;
  record->target = target;
  record->source = source;
  record->bytes = bytes;
  return cudaSuccess;
}

cudaError_t record_write(std::uint64_t target, const void* source, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  auto* record = Recorder::get().append<WriteRecord>(RecordKind::kWrite, bytes);
  if (record == nullptr) return cudaErrorNotSupported;
  record->target = target;
  record->bytes = bytes;
  std::memcpy(record + 1, source, bytes);
  return cudaSuccess;
}

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

extern "C" {

cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes, cudaStream_t stream) {
  Recorder& recorder = Recorder::get();
  if (!recorder.may_enqueue("cudaMemsetAsync", stream)) return cudaErrorNotSupported;
  if (bytes == 0) return cudaSuccess;
  auto* record = recorder.append<MemsetRecord>(RecordKind::kMemset);
  if (record == nullptr) return cudaErrorNotSupported;
  record->target = number_of(target);
  record->bytes = bytes;
  record->value = static_cast<unsigned char>(value);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  Recorder& recorder = Recorder::get();
  if (!recorder.may_enqueue("cudaMemcpyAsync", stream)) return cudaErrorNotSupported;
  if (!is_device_pointer(target)) {
    return recorder.refuse("cudaMemcpyAsync to host memory: device data can't be read on the host");
  }
  if (!is_device_pointer(source)) {
    return recorder.refuse(
        "cudaMemcpyAsync from host memory: pass the data as kernel parameters, or by "
        "cudaMemcpyToSymbolAsync");
  }
  return record_copy(number_of(target), number_of(source), bytes);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  Recorder& recorder = Recorder::get();
  if (!recorder.may_enqueue("cudaMemcpyToSymbolAsync", stream)) return cudaErrorNotSupported;
  cudaError_t error = cudaSuccess;
  const std::uint64_t target = place_in_symbol(symbol, bytes, offset, error);
  if (error != cudaSuccess) return error;
  return is_device_pointer(source) ? record_copy(target, number_of(source), bytes)
                                   : record_write(target, source, bytes);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  Recorder& recorder = Recorder::get();
  if (!recorder.may_enqueue("cudaMemcpyFromSymbolAsync", stream)) return cudaErrorNotSupported;
  if (!is_device_pointer(target)) {
    return recorder.refuse(
        "cudaMemcpyFromSymbolAsync to host memory: device data can't be read on the host");
  }
  cudaError_t error = cudaSuccess;
  const std::uint64_t source = place_in_symbol(symbol, bytes, offset, error);
  return error != cudaSuccess ? error : record_copy(number_of(target), source, bytes);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  Recorder& recorder = Recorder::get();
  if (recorder.current_call() == nullptr) {
    return recorder.refuse("cudaGetSymbolAddress was called outside forge_launch");
  }
  cudaError_t error = cudaSuccess;
  const std::uint64_t place = place_in_symbol(symbol, 0, 0, error);
  if (error == cudaSuccess) *address = reinterpret_cast<void*>(place);
  return error;
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  Recorder& recorder = Recorder::get();
  const auto found = recorder.variables.find(symbol);
  if (found == recorder.variables.end() || found->second == kUnknown) {
    return recorder.remember(cudaErrorInvalidSymbol);
  }
  *bytes = recorder.table<Symbol>(recorder.setup().symbols)[found->second].bytes;
  return cudaSuccess;
}
}
