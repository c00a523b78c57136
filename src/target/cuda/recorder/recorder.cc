#include "recorder.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace forge::recorder {

Recorder& Recorder::get() {
  // Never destroyed: the candidate's own destructors may still call in.
  static Recorder& recorder = *new Recorder;
  return recorder;
}

void Recorder::open(const std::byte* setup, std::byte* recording) {
  bytes_ = setup;
  setup_ = reinterpret_cast<const Setup*>(setup);
  header_ = reinterpret_cast<RecordingHeader*>(recording);
  header_->magic = kRecordingMagic;
  settings.resize(setup_->kernels.count);
}

namespace {

template <typename T>
std::uint32_t find_named(const std::byte* bytes, const T* entries, std::uint64_t count,
                         const char* name) {
  const std::size_t size = std::strlen(name);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Text& text = entries[i].name;
    if (text.bytes == size && std::memcmp(bytes + text.offset, name, size) == 0) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return kUnknown;
}

}  // namespace

std::uint32_t Recorder::kernel_named(const char* name) const {
  return find_named(bytes_, table<Kernel>(setup_->kernels), setup_->kernels.count, name);
}

std::uint32_t Recorder::symbol_named(const char* name) const {
  return find_named(bytes_, table<Symbol>(setup_->symbols), setup_->symbols.count, name);
}

cudaError_t Recorder::refuse(const char* format, ...) {
  std::uint32_t first = 0;
  if (header_ != nullptr && header_->refused.compare_exchange_strong(first, 1)) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(header_->refusal, sizeof header_->refusal, format, arguments);
    va_end(arguments);
  }
  return remember(cudaErrorNotSupported);
}

cudaError_t Recorder::remember(cudaError_t error) {
  if (error != cudaSuccess) last_error_ = error;
  return error;
}

cudaError_t Recorder::last_error(bool clear) {
  const cudaError_t error = last_error_;
  if (clear) last_error_ = cudaSuccess;
  return error;
}

bool Recorder::may_enqueue(const char* function, cudaStream_t stream_given) {
  if (call_ == nullptr) {
    refuse("%s was called outside forge_launch; work may be enqueued there only", function);
    return false;
  }
  if (stream_given != stream()) {
    refuse("%s was given another stream than forge_launch: enqueue all work on its `stream`",
           function);
    return false;
  }
  return true;
}

std::byte* Recorder::append_bytes(std::size_t bytes) {
  bytes = (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
  const std::uint64_t room = setup_->recording_bytes - sizeof(RecordingHeader);
  const std::uint64_t used = header_->used.load(std::memory_order_relaxed);
  if (used > room || room - used < bytes) {
    refuse("its launch plan would be larger than %llu MiB",
           static_cast<unsigned long long>(setup_->recording_bytes >> 20));
    return nullptr;
  }
  std::byte* record = reinterpret_cast<std::byte*>(header_ + 1) + used;
  std::memset(record, 0, bytes);
  reinterpret_cast<Record*>(record)->bytes = static_cast<std::uint32_t>(bytes);
  header_->used.store(used + bytes, std::memory_order_release);
  return record;
}

void Recorder::begin_call(std::uint32_t call) {
  call_ = table<Call>(setup_->calls) + call;
  maps_ = 0;
  if (auto* record = append<CallRecord>(RecordKind::kCallBegin)) record->call = call;
}

void Recorder::end_call(int result) {
  if (call_ == nullptr) return;
  if (auto* record = append<CallRecord>(RecordKind::kCallEnd)) {
    record->call = static_cast<std::uint32_t>(call_ - table<Call>(setup_->calls));
    record->result = result;
  }
  call_ = nullptr;
}

std::uint64_t Recorder::symbol_address(std::uint32_t symbol) const {
  return table<std::uint64_t>(setup_->symbol_addresses)[call_->first_symbol_address + symbol];
}

}  // namespace forge::recorder
