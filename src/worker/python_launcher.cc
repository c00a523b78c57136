#include <cstdlib>

#include "base/text.h"
#include "sys/channel.h"
#include "worker/launcher.h"
#include "worker/python_setup.h"

namespace forge {
namespace {

constexpr std::chrono::seconds kImportTimeout{120};
constexpr std::chrono::seconds kForkTimeout{30};

class PythonLauncher : public Launcher {
 public:
  PythonLauncher(PinnedProcess process, Channel channel, std::string description)
      : process_(std::move(process)),
        channel_(std::move(channel)),
        description_(std::move(description)) {}

  Result<PinnedProcess> launch(const HandoverPages& pages, const Arenas& arenas,
                               const SetupRequest& request) override {
    const std::string text = python_setup(request).dump();
    FORGE_TRY(const SharedMemory setup,
              SharedMemory::with_content("forge-setup", text.data(), text.size()));
    FORGE_TRY_STATUS(channel_.send("trial", {setup.fd(), pages.command.fd(), pages.status.fd(),
                                             arenas.inputs.fd(), arenas.outputs.fd()}));
    FORGE_TRY(const std::string reply, channel_.receive(kForkTimeout));
    const int pid = std::atoi(reply.c_str());
    if (pid <= 0) return ended("cannot fork");
    return PinnedProcess::adopt(pid);
  }

  const std::string& description() const override { return description_; }

 private:
  Error ended(const std::string& attempt) {
    return Error{ErrorKind::kInfrastructure, attempt, "the reference's Python process",
                 "it ended; it said: " + clip(printable(process_.output()), 400), ""};
  }

  PinnedProcess process_;
  Channel channel_;
  std::string description_;
};

}  // namespace

Result<std::unique_ptr<Launcher>> make_python_launcher(const PythonLaunch& launch) {
  constexpr int kSocket = 3;
  FORGE_TRY(Channel channel, Channel::create());
  PinnedSpec spec;
  spec.executable = launch.python;
  spec.argv = {launch.python, "-I",
               "-B",          launch.script.string(),
               "--socket-fd", std::to_string(kSocket),
               "--source",    launch.source.string(),
               "--names",     tensor_names(*launch.signature),
               "--threads",   std::to_string(launch.cpus.size())};
  spec.environment = python_environment();
  spec.descriptors = {{kSocket, channel.other_end()}};
  spec.cpus = launch.cpus;
  FORGE_TRY(PinnedProcess process, PinnedProcess::spawn(spec));
  channel.close_other_end();
  FORGE_TRY(std::string description, channel.receive(kImportTimeout));
  if (description.empty()) {
    return Error{ErrorKind::kInfrastructure, "cannot start", "the reference's Python process",
                 "it ended; it said: " + clip(printable(process.output()), 400),
                 "check FK_PYTHON and that this interpreter imports torch"};
  }
  return std::unique_ptr<Launcher>(std::make_unique<PythonLauncher>(
      std::move(process), std::move(channel), std::move(description)));
}

}  // namespace forge
