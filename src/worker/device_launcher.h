// How the process of a GPU arm comes to be, and what it replays. May know: sys, target, problem,
// device_process.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "sys/fs.h"
#include "sys/shared_memory.h"
#include "target/cuda/gpu.h"
#include "worker/device_process.h"

namespace forge {

class DeviceLauncher {
 public:
  virtual ~DeviceLauncher() = default;
  // A process that will greet and then wait for requests, within `patience()`.
  virtual Result<DeviceProcess> start() = 0;
  virtual std::chrono::seconds patience() const = 0;
  // A context has a small offset of its own in all that it times, so each trial gets a new one.
  // Where starting takes too long for that, one serves an arm for as long as it is sound.
  enum class Lifetime { kTrial, kArm };
  virtual Lifetime lifetime() const = 0;
  // What a trial needs besides its setup; owned by this.
  virtual std::vector<int> trial_descriptors() const = 0;
  // What stands behind the arm, with versions, for reports.
  virtual const std::string& description() const = 0;
};

// Starts replayers on one device. The first is started at once, to learn what the device is, and
// serves the first arm that asks.
class ReplayerPool {
 public:
  static Result<std::unique_ptr<ReplayerPool>> open(int ordinal, std::vector<int> cpus);
  const GpuFacts& device() const { return facts_; }
  int ordinal() const { return ordinal_; }
  // Does not wait for it.
  Result<DeviceProcess> take();
  ~ReplayerPool();

 private:
  Result<DeviceProcess> start();

  SharedMemory program_;
  SharedMemory rotation_;
  int ordinal_ = 0;
  std::vector<int> cpus_;
  GpuFacts facts_;
  std::optional<DeviceProcess> spare_;
};

// FK_GPU: the number of the device, as the driver counts; else the first.
Result<int> chosen_gpu();

// The pool must outlive the launcher.
Result<std::unique_ptr<DeviceLauncher>> make_replay_launcher(ReplayerPool& pool,
                                                             const std::string& encoded_plan,
                                                             const std::string& cubin,
                                                             std::string description);

struct TorchDeviceLaunch {
  std::string python;
  Path support;  // folder of the support files
  Path source;   // the user's file
  const Signature* signature = nullptr;
  std::vector<int> cpus;
  int ordinal = 0;
};
// Returns when PyTorch is imported and has found the device.
Result<std::unique_ptr<DeviceLauncher>> make_torch_device_launcher(const TorchDeviceLaunch& launch);

}  // namespace forge
