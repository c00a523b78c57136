// forge-replayer ORDINAL: replays one kernel's launches on one GPU when told to. Started by the
// measurer, with the descriptors below; never by hand. No host code of a candidate ever runs here.
#include <cstdio>
#include <cstdlib>

#include "sys/channel.h"
#include "sys/clock.h"
#include "sys/pinned_process.h"
#include "target/cuda/gpu_facts_json.h"
#include "target/cuda/replay_server.h"
#include "worker/replayer/descriptors.h"

namespace forge {
namespace {

Status serve(Channel& channel, int ordinal) {
  const auto clock = make_real_clock();
  FORGE_TRY(const std::string rotation, memory_file_content(kReplayerRotationFd));
  FORGE_TRY(const auto gpu, open_gpu(ordinal));
  Replayer replayer(*gpu, *clock);
  FORGE_TRY_STATUS(replayer.open(rotation));
  Json hello = Json::object();
  hello.set("device", to_json(gpu->facts()));
  FORGE_TRY_STATUS(channel.send(hello.dump(), {}));
  ReplayServer server(replayer);
  while (true) {
    FORGE_TRY(Channel::Message message, channel.receive_with_descriptors());
    if (message.text.empty()) return {};
    FORGE_TRY_STATUS(channel.send(server.answer(std::move(message)).dump(), {}));
  }
}

int run(int ordinal) {
  die_with_parent();
  Channel channel = Channel::adopt(kReplayerChannelFd);
  const Status served = serve(channel, ordinal);
  if (served) std::_Exit(0);
  static_cast<void>(channel.send(
      fault_json({ReplayFaultKind::kInfrastructure, served.error().message()}).dump(), {}));
  // Without destructors: a context whose kernel never ends can't be left in order.
  std::_Exit(1);
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) { return argc == 2 ? forge::run(std::atoi(argv[1])) : 1; }
