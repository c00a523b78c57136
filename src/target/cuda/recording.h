// What a planner's process noted down, read out of memory that the candidate could write to. Pure.
// May know: base, recorder/recording.h. Everything is a claim: sizes and counts are checked here,
// meaning by plan_assemble.h and plan_validate.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "target/cuda/recorder/recording.h"

namespace forge {

struct RawLaunch {
  recorder::LaunchRecord fields{};
  std::string parameters;
};
struct RawMemset {
  recorder::MemsetRecord fields{};
};
struct RawCopy {
  recorder::CopyRecord fields{};
};
struct RawWrite {
  recorder::WriteRecord fields{};
  std::string data;
};
using RawStep = std::variant<RawLaunch, RawMemset, RawCopy, RawWrite>;

struct CallRecording {
  std::uint64_t workspace_bytes = 0;
  std::optional<std::int32_t> result;  // of forge_launch; absent if the call did not end
  std::vector<RawStep> steps;
  std::vector<recorder::TensorMapRecord> maps;
};

struct Recording {
  std::string refusal;  // empty if nothing was refused
  std::vector<CallRecording> calls;
  std::vector<std::uint32_t> occupancy;  // by question
};

// `calls` and `questions`: as many as there were in the set-up. An error means that the recording
// is malformed, which only the candidate can have caused.
Result<Recording> read_recording(std::span<const std::byte> bytes, std::size_t calls,
                                 std::size_t questions);

}  // namespace forge
