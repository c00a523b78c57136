// Whatever a kernel writes over its recording: no read outside it, and what is read can be made
// into a plan or refused. The first byte says how much of the rest is claimed to be used.
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "target/cuda/plan_assemble.h"

namespace {

forge::PlannerSetup small_setup() {
  forge::PlannerSetup setup;
  setup.nonce = 1;
  setup.variants = {{0, 1, 2}};
  setup.calls.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    setup.calls[i].buffers = {forge::recorder::kFirstDeviceAddress + (i == 1 ? 4096 : 0)};
    setup.calls[i].fill = static_cast<unsigned char>(i == 2 ? 0x91 : 0x43);
  }
  return setup;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Header = forge::recorder::RecordingHeader;
  if (size == 0) return 0;
  std::vector<std::byte> memory(sizeof(Header) + size - 1 + 8);
  auto* header = new (memory.data()) Header{};
  header->magic = forge::recorder::kRecordingMagic;
  header->used = (size - 1) * data[0] / 255;
  std::memcpy(memory.data() + sizeof(Header), data + 1, size - 1);
  auto recording = forge::read_recording(memory, 3, 2);
  if (!recording) return 0;
  for (forge::CallRecording& call : recording->calls) {
    if (!call.result) call.result = 0;
  }
  static const forge::PlannerSetup kSetup = small_setup();
  static const forge::Cubin kCubin = [] {
    forge::Cubin cubin;
    cubin.kernels.resize(2);
    return cubin;
  }();
  static_cast<void>(forge::assemble_variant({kSetup, *recording, kCubin}, 0,
                                            {{forge::PlanBufferKind::kOutput, "y", 64}}));
  return 0;
}
