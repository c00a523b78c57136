// An arm whose work runs on a GPU, in a process of its own that times it: fills buffers, has them
// replayed, compares what came back. May know: everything below worker. The measurer's half of
// docs/formats/replay-protocol.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "worker/device_launcher.h"
#include "worker/device_setup.h"
#include "worker/job_arm.h"
#include "worker/output_checker.h"
#include "worker/setup_image.h"
#include "worker/slot_memory.h"

namespace forge {

struct DeviceArmConfig {
  std::string label;
  const ContentPool* contents = nullptr;
  std::vector<int> slots_per_shape;
  OutputChecker* checker = nullptr;
  double call_seconds = 20;
  // Told once how its work is replayed, where the process says so: "captured as a graph".
  std::function<void(const std::string&)> on_mode;
  // By shape: no call can be shorter than moving its bytes takes; 0 where nobody knows.
  std::vector<double> floor_ns;
};

// What the memory of a device allows at the best: what [work] says is moved, less what of the
// outputs may still be in the L2 when the clock stops. 0 without [work] or a known bandwidth.
double floor_ns(const Instance& instance, const GpuFacts& device);

class DeviceArm : public JobArm {
 public:
  // The launcher must outlive it.
  DeviceArm(DeviceArmConfig config, DeviceLauncher& launcher);
  ~DeviceArm() override;

  const std::string& label() const override { return config_.label; }
  // Whatever lives on from trial to trial, memory, module, placement and graphs do not.
  std::optional<ArmFault> set_up(Random& random) override;
  std::optional<ArmFault> prepare(const std::vector<Call>& calls, CacheState cache,
                                  Random& random) override;
  MeasureOutcome measure() override;
  std::optional<ArmFault> verify() override;
  void tear_down() override;
  const std::string& output() const override { return output_; }
  int calls_verified() const override { return calls_verified_; }

 private:
  struct Sample {
    double interval_ns = 0;
    double shortest_call_ns = 0;
  };

  std::optional<ArmFault> start_process();
  std::variant<Json, ArmFault> ask(const Json& request, const std::vector<int>& descriptors,
                                   double seconds, FaultKind when_silent, int shape);
  std::size_t captures_for(std::size_t shape, std::size_t calls) const;
  void choose_order(std::size_t captures, Random& random);
  std::variant<Sample, ArmFault> sample();
  std::variant<Sample, ArmFault> read_times(const Json& answer, int shape) const;
  std::optional<ArmFault> check_outputs(const PreparedCall& call, bool& right);
  SlotMemory slot_memory() const;
  void keep_output();
  void end_process();

  DeviceArmConfig config_;
  DeviceLauncher* launcher_;
  ArenaPlan plan_;
  EntryIndex entries_;
  SharedMemory arena_;
  std::optional<DeviceProcess> process_;
  std::optional<DeviceProcess> next_;  // makes its context while others have their turn
  std::vector<PreparedCall> prepared_;
  std::vector<std::pair<std::size_t, std::size_t>> order_;  // call, capture
  CacheState cache_ = CacheState::kCold;
  std::vector<double> call_ns_;  // by shape, as last measured; 0: not yet
  // Outputs, by shape and content, that the checker found right. The same bytes are right again.
  std::map<std::pair<int, int>, std::vector<std::vector<std::byte>>> found_right_;
  std::string ended_output_;  // of processes that are no more
  std::string output_;
  bool mode_told_ = false;
  int calls_verified_ = 0;
};

}  // namespace forge
