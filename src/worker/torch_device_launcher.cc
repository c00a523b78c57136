#include "worker/device_launcher.h"
#include "worker/python_setup.h"

namespace forge {
namespace {

constexpr int kChannelFd = 3;
// Importing PyTorch takes seconds, from a cold disk many.
constexpr std::chrono::seconds kImportTimeout{180};

class TorchDeviceLauncher : public DeviceLauncher {
 public:
  TorchDeviceLauncher(PinnedSpec spec, DeviceProcess first, std::string description)
      : spec_(std::move(spec)), first_(std::move(first)), description_(std::move(description)) {}

  Result<DeviceProcess> start() override {
    if (!first_) return start_torch(spec_);
    DeviceProcess process = std::move(*first_);
    first_.reset();
    return process;
  }
  std::chrono::seconds patience() const override { return kImportTimeout; }
  Lifetime lifetime() const override { return Lifetime::kArm; }
  std::vector<int> trial_descriptors() const override { return {}; }
  const std::string& description() const override { return description_; }

  static Result<DeviceProcess> start_torch(const PinnedSpec& spec) {
    return DeviceProcess::start(spec, kChannelFd, "the reference's Python process");
  }

 private:
  PinnedSpec spec_;
  std::optional<DeviceProcess> first_;
  std::string description_;
};

}  // namespace

Result<std::unique_ptr<DeviceLauncher>> make_torch_device_launcher(
    const TorchDeviceLaunch& launch) {
  PinnedSpec spec;
  spec.executable = launch.python;
  const Path script = launch.support / "python" / "forge_reference_gpu.py";
  const Path rotation = launch.support / "src" / "target" / "cuda" / "rotate.ptx";
  spec.argv = {launch.python,  "-I",
               "-B",           script.string(),
               "--channel-fd", std::to_string(kChannelFd),
               "--source",     launch.source.string(),
               "--names",      tensor_names(*launch.signature),
               "--rotation",   rotation.string(),
               "--device",     std::to_string(launch.ordinal)};
  spec.environment = python_environment();
  spec.cpus = launch.cpus;
  FORGE_TRY(DeviceProcess first, TorchDeviceLauncher::start_torch(spec));
  FORGE_TRY_STATUS(first.greet(kImportTimeout));
  const JsonReader hello(first.hello(), "the reference's first words");
  FORGE_TRY(std::string description, hello.string("description"));
  return std::unique_ptr<DeviceLauncher>(std::make_unique<TorchDeviceLauncher>(
      std::move(spec), std::move(first), std::move(description)));
}

}  // namespace forge
