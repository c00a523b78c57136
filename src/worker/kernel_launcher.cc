#include "worker/launcher.h"
#include "worker/runner_image.h"

namespace forge {
namespace {

class KernelLauncher : public Launcher {
 public:
  KernelLauncher(KernelLaunch launch, SharedMemory runner, SharedMemory image)
      : launch_(std::move(launch)), runner_(std::move(runner)), image_(std::move(image)) {}

  Result<PinnedProcess> launch(const HandoverPages& pages, const Arenas& arenas,
                               const SetupRequest& request) override {
    SetupRequest mine = request;
    mine.confinement = launch_.confinement;
    mine.memory_limit_bytes = launch_.memory_limit_bytes;
    mine.initialisers = launch_.initialisers;
    const std::vector<std::byte> tables = runner_setup(mine);
    FORGE_TRY(const SharedMemory setup,
              SharedMemory::with_content("forge-setup", tables.data(), tables.size()));
    PinnedSpec spec;
    spec.executable_fd = runner_.fd();
    spec.argv = {"forge-runner"};
    // The same for every arm and every trial: nothing here tells a check from a timing.
    spec.environment = {{"LC_ALL", "C"}, {"OMP_DYNAMIC", "false"}};
    spec.descriptors = {{runner::kCommandFd, pages.command.fd()},
                        {runner::kStatusFd, pages.status.fd()},
                        {runner::kSetupFd, setup.fd()},
                        {runner::kInputsFd, arenas.inputs.fd()},
                        {runner::kOutputsFd, arenas.outputs.fd()},
                        {runner::kImageFd, image_.fd()}};
    spec.cpus = launch_.cpus;
    return PinnedProcess::spawn(spec);
  }

  const std::string& description() const override { return launch_.description; }

 private:
  KernelLaunch launch_;
  SharedMemory runner_;
  SharedMemory image_;
};

}  // namespace

Result<std::unique_ptr<Launcher>> make_kernel_launcher(KernelLaunch launch) {
  const std::span<const std::byte> program = runner_image();
  FORGE_TRY(SharedMemory runner,
            SharedMemory::with_content("forge-runner", program.data(), program.size()));
  FORGE_TRY(SharedMemory image,
            SharedMemory::with_content("forge-kernel", launch.image.data(), launch.image.size()));
  launch.image.clear();
  return std::unique_ptr<Launcher>(
      std::make_unique<KernelLauncher>(std::move(launch), std::move(runner), std::move(image)));
}

}  // namespace forge
