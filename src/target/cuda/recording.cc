#include "target/cuda/recording.h"

#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "target/cuda/device_elf.h"

namespace forge {
namespace {

using recorder::RecordKind;

class Reader {
 public:
  Reader(std::span<const std::byte> records, std::size_t calls, std::size_t questions)
      : rest_(records) {
    recording_.calls.resize(calls);
    recording_.occupancy.resize(questions);
  }

  bool read() {
    while (!rest_.empty()) {
      const auto head = record_at<recorder::Record>(rest_, 0);
      if (!head || head->bytes < sizeof(recorder::Record) || head->bytes > rest_.size() ||
          head->bytes % recorder::kRecordAlignment != 0) {
        return false;
      }
      if (!take(head->kind, rest_.first(head->bytes))) return false;
      rest_ = rest_.subspan(head->bytes);
    }
    return true;
  }
  Recording take_recording() { return std::move(recording_); }

 private:
  bool take(RecordKind kind, std::span<const std::byte> record) {
    switch (kind) {
      case RecordKind::kWorkspace:
        return take_workspace(record);
      case RecordKind::kCallBegin:
        return take_begin(record);
      case RecordKind::kCallEnd:
        return take_end(record);
      case RecordKind::kLaunch:
        return take_with_payload<RawLaunch>(
            record, [](RawLaunch& raw) { return std::uint64_t{raw.fields.parameter_bytes}; },
            [](RawLaunch& raw) -> std::string& { return raw.parameters; });
      case RecordKind::kWrite:
        return take_with_payload<RawWrite>(
            record, [](RawWrite& raw) { return raw.fields.bytes; },
            [](RawWrite& raw) -> std::string& { return raw.data; });
      case RecordKind::kMemset:
        return take_step<RawMemset>(record);
      case RecordKind::kCopy:
        return take_step<RawCopy>(record);
      case RecordKind::kTensorMap:
        return take_map(record);
      case RecordKind::kOccupancy:
        return take_occupancy(record);
    }
    return false;
  }

  bool take_workspace(std::span<const std::byte> record) {
    const auto fields = record_at<recorder::WorkspaceRecord>(record, 0);
    if (!fields || fields->call >= recording_.calls.size()) return false;
    recording_.calls[fields->call].workspace_bytes = fields->bytes;
    return true;
  }

  bool take_begin(std::span<const std::byte> record) {
    const auto fields = record_at<recorder::CallRecord>(record, 0);
    if (!fields || fields->call >= recording_.calls.size() || current_ != nullptr) return false;
    current_ = &recording_.calls[fields->call];
    return !current_->result && current_->steps.empty();
  }

  bool take_end(std::span<const std::byte> record) {
    const auto fields = record_at<recorder::CallRecord>(record, 0);
    if (!fields || current_ == nullptr) return false;
    current_->result = fields->result;
    current_ = nullptr;
    return true;
  }

  template <typename Raw>
  bool take_step(std::span<const std::byte> record) {
    const auto fields = record_at<decltype(Raw::fields)>(record, 0);
    if (!fields || current_ == nullptr) return false;
    current_->steps.push_back(Raw{*fields});
    return true;
  }

  template <typename Raw, typename Size, typename Payload>
  bool take_with_payload(std::span<const std::byte> record, Size size, Payload payload) {
    const auto fields = record_at<decltype(Raw::fields)>(record, 0);
    if (!fields || current_ == nullptr) return false;
    Raw raw{*fields, {}};
    const std::uint64_t bytes = size(raw);
    const std::span<const std::byte> behind = record.subspan(sizeof *fields);
    // The rest is padding.
    if (bytes > behind.size() || behind.size() - bytes >= recorder::kRecordAlignment) return false;
    payload(raw).assign(reinterpret_cast<const char*>(behind.data()), bytes);
    current_->steps.push_back(std::move(raw));
    return true;
  }

  bool take_map(std::span<const std::byte> record) {
    const auto fields = record_at<recorder::TensorMapRecord>(record, 0);
    if (!fields || current_ == nullptr || fields->number != current_->maps.size()) return false;
    if (fields->rank == 0 || fields->rank > 5 || (fields->im2col != 0 && fields->rank < 3)) {
      return false;
    }
    current_->maps.push_back(*fields);
    return true;
  }

  bool take_occupancy(std::span<const std::byte> record) {
    const auto fields = record_at<recorder::OccupancyRecord>(record, 0);
    if (!fields || fields->question >= recording_.occupancy.size()) return false;
    recording_.occupancy[fields->question] = fields->blocks;
    return true;
  }

  std::span<const std::byte> rest_;
  Recording recording_;
  CallRecording* current_ = nullptr;
};

}  // namespace

Result<Recording> read_recording(std::span<const std::byte> bytes, std::size_t calls,
                                 std::size_t questions) {
  const auto malformed = [] {
    return Error{ErrorKind::kCorrupt, "cannot read", "the recording of the kernel's launches",
                 "it is malformed, so the kernel wrote to it", ""};
  };
  if (bytes.size() < sizeof(recorder::RecordingHeader)) return malformed();
  // Members are read where they lie: the header holds atomics.
  const auto* header = reinterpret_cast<const recorder::RecordingHeader*>(bytes.data());
  const std::uint64_t used = header->used.load();
  const std::span<const std::byte> records = bytes.subspan(sizeof(recorder::RecordingHeader));
  if (header->magic != recorder::kRecordingMagic || used > records.size()) return malformed();
  Reader reader(records.first(used), calls, questions);
  const bool whole = reader.read();
  Recording recording = reader.take_recording();
  if (header->refused.load() != 0) {
    recording.refusal =
        printable(std::string(header->refusal, strnlen(header->refusal, sizeof header->refusal)));
    if (recording.refusal.empty()) recording.refusal = "something that the recording does not name";
    return recording;
  }
  if (!whole) return malformed();
  return recording;
}

}  // namespace forge
