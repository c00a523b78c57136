#include "control.h"

#include "recorder.h"

using forge::recorder::OccupancyQuestion;
using forge::recorder::OccupancyRecord;
using forge::recorder::Recorder;
using forge::recorder::RecordKind;
using forge::recorder::WorkspaceRecord;

extern "C" {

void forge_recorder_open(const void* setup, void* recording) {
  Recorder::get().open(static_cast<const std::byte*>(setup), static_cast<std::byte*>(recording));
}

void* forge_recorder_stream() { return Recorder::get().stream(); }

void forge_recorder_begin(std::uint32_t call) { Recorder::get().begin_call(call); }

void forge_recorder_end(int result) { Recorder::get().end_call(result); }

void forge_recorder_workspace(std::uint64_t call, std::uint64_t bytes) {
  auto* record = Recorder::get().append<WorkspaceRecord>(RecordKind::kWorkspace);
  if (record == nullptr) return;
  record->call = call;
  record->bytes = bytes;
}

void forge_recorder_answer() {
  Recorder& recorder = Recorder::get();
  const auto* questions = recorder.table<OccupancyQuestion>(recorder.setup().questions);
  for (std::uint64_t i = 0; i < recorder.setup().questions.count; ++i) {
    const int blocks = forge::recorder::blocks_per_multiprocessor(
        questions[i].kernel, static_cast<int>(questions[i].threads), questions[i].dynamic_shared);
    auto* record = recorder.append<OccupancyRecord>(RecordKind::kOccupancy);
    if (record == nullptr) return;
    record->question = static_cast<std::uint32_t>(i);
    record->blocks = static_cast<std::uint32_t>(blocks < 0 ? 0 : blocks);
  }
}
}
