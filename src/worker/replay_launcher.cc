#include <fmt/format.h>

#include <cstdlib>

#include "sys/support_files.h"
#include "target/cuda/gpu_facts_json.h"
#include "worker/device_launcher.h"
#include "worker/replayer/descriptors.h"

extern "C" const std::byte forge_replayer_image_begin[];
extern "C" const std::byte forge_replayer_image_end[];

namespace forge {
namespace {

// Making a context takes a fraction of a second, behind a busy driver many.
constexpr std::chrono::seconds kStartTimeout{90};

class ReplayLauncher : public DeviceLauncher {
 public:
  ReplayLauncher(ReplayerPool& pool, SharedMemory plan, SharedMemory cubin, std::string description)
      : pool_(pool),
        plan_(std::move(plan)),
        cubin_(std::move(cubin)),
        description_(std::move(description)) {}

  Result<DeviceProcess> start() override { return pool_.take(); }
  std::chrono::seconds patience() const override { return kStartTimeout; }
  Lifetime lifetime() const override { return Lifetime::kTrial; }
  std::vector<int> trial_descriptors() const override { return {plan_.fd(), cubin_.fd()}; }
  const std::string& description() const override { return description_; }

 private:
  ReplayerPool& pool_;
  SharedMemory plan_;
  SharedMemory cubin_;
  std::string description_;
};

// What the driver's library needs, and nothing that carries keys.
std::vector<std::pair<std::string, std::string>> driver_environment() {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) environment.emplace_back(name, value);
  }
  environment.emplace_back("LC_ALL", "C");
  return environment;
}

}  // namespace

Result<int> chosen_gpu() {
  const char* given = std::getenv("FK_GPU");
  if (given == nullptr || *given == '\0') return 0;
  char* end = nullptr;
  const long number = std::strtol(given, &end, 10);
  if (*end == '\0' && number >= 0 && number < 1024) return static_cast<int>(number);
  return Error{ErrorKind::kInvalidInput, "cannot use", fmt::format("FK_GPU={}", given),
               "it is no device's number", "give 0, 1, … as nvidia-smi counts, or nothing"};
}

Result<std::unique_ptr<ReplayerPool>> ReplayerPool::open(int ordinal, std::vector<int> cpus) {
  auto pool = std::make_unique<ReplayerPool>();
  pool->ordinal_ = ordinal;
  pool->cpus_ = std::move(cpus);
  const auto rotation = support_file("src/target/cuda/rotate.ptx");
  FORGE_CHECK(rotation.has_value());
  FORGE_TRY(pool->rotation_,
            SharedMemory::with_content("forge-rotation", rotation->data(), rotation->size()));
  const auto bytes =
      static_cast<std::size_t>(forge_replayer_image_end - forge_replayer_image_begin);
  FORGE_TRY(pool->program_,
            SharedMemory::with_content("forge-replayer", forge_replayer_image_begin, bytes));
  FORGE_TRY(pool->spare_, pool->start());
  FORGE_TRY_STATUS(pool->spare_->greet(kStartTimeout));
  const JsonReader hello(pool->spare_->hello(), "the replayer's first words");
  FORGE_TRY(const JsonReader device, hello.object("device"));
  FORGE_TRY(pool->facts_, gpu_facts_from_json(device));
  return pool;
}

Result<DeviceProcess> ReplayerPool::start() {
  PinnedSpec spec;
  spec.executable_fd = program_.fd();
  spec.argv = {"forge-replayer", std::to_string(ordinal_)};
  spec.environment = driver_environment();
  spec.descriptors = {{kReplayerRotationFd, rotation_.fd()}};
  spec.cpus = cpus_;
  return DeviceProcess::start(std::move(spec), kReplayerChannelFd, "the replayer's process");
}

ReplayerPool::~ReplayerPool() {
  if (spare_) spare_->dismiss();
}

Result<DeviceProcess> ReplayerPool::take() {
  if (!spare_) return start();
  DeviceProcess process = std::move(*spare_);
  spare_.reset();
  return process;
}

Result<std::unique_ptr<DeviceLauncher>> make_replay_launcher(ReplayerPool& pool,
                                                             const std::string& encoded_plan,
                                                             const std::string& cubin,
                                                             std::string description) {
  FORGE_TRY(SharedMemory plan,
            SharedMemory::with_content("forge-plan", encoded_plan.data(), encoded_plan.size()));
  FORGE_TRY(SharedMemory code,
            SharedMemory::with_content("forge-cubin", cubin.data(), cubin.size()));
  return std::unique_ptr<DeviceLauncher>(std::make_unique<ReplayLauncher>(
      pool, std::move(plan), std::move(code), std::move(description)));
}

}  // namespace forge
