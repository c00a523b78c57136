// An arm that is a process of its own: fills buffers, hands over, verifies. May know: everything
// below worker. The measurer's half of the trust boundary; see docs/threat-model.md.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sys/clock.h"
#include "worker/arm_memory.h"
#include "worker/defences.h"
#include "worker/handover.h"
#include "worker/job.h"
#include "worker/job_arm.h"
#include "worker/launcher.h"
#include "worker/output_checker.h"
#include "worker/slot_memory.h"

namespace forge {

struct ProcessArmConfig {
  std::string label;
  const Signature* signature = nullptr;
  const ContentPool* contents = nullptr;
  std::vector<int> slots_per_shape;
  ArenaPool* arenas = nullptr;
  OutputChecker* checker = nullptr;
  Clock* clock = nullptr;
  double call_seconds = 20;
  ArmRole role = ArmRole::kReference;
  Defences defences;
  int processors = 1;  // that the arms may use
};

class ProcessArm : public JobArm {
 public:
  ProcessArm(ProcessArmConfig config, Launcher& launcher);
  ~ProcessArm() override;

  const std::string& label() const override { return config_.label; }
  std::optional<ArmFault> set_up(Random& random) override;
  std::optional<ArmFault> prepare(const std::vector<Call>& calls, CacheState cache,
                                  Random& random) override;
  MeasureOutcome measure() override;
  std::optional<ArmFault> verify() override;
  void tear_down() override;

  // What all its processes have printed so far, clipped.
  const std::string& output() const override { return output_; }
  int calls_verified() const override { return calls_verified_; }
  // Confinement layers that were on in the last process (runner::kLayer… bits).
  std::uint32_t layers() const { return layers_; }

 private:
  // Up to eight bytes of an output, remembered as they were the moment the kernel claimed to be
  // done.
  struct Sample {
    const std::byte* where = nullptr;
    std::uint64_t value = 0;
    std::uint32_t bytes = sizeof(std::uint64_t);

    void take() { std::memcpy(&value, where, bytes); }
    bool holds() const { return std::memcmp(&value, where, bytes) == 0; }
  };

  void flush_slot(const Slot& slot);
  enum class Ends { kNot, kToo };
  void choose_samples(const Slot& slot, const Instance& instance, int count, Ends ends,
                      Random& random);
  void choose_untouched(Random& random);
  bool outputs_are_untouched() const;
  void take_samples();
  std::optional<ArmFault> check_samples(int shape) const;
  std::optional<ArmFault> check_work_ahead(int shape) const;
  std::optional<ArmFault> check_rest(int shape);
  ArmFault explain(const HandoverOutcome& outcome, int shape);
  SlotMemory slot_memory() const;
  bool has(Defence defence) const { return config_.defences.has(defence); }
  // Only who may have an interest in the verdict is suspected.
  bool is_suspect() const { return config_.role != ArmRole::kReference; }
  void keep_output();

  ProcessArmConfig config_;
  Launcher* launcher_;
  ArenaPlan plan_;
  EntryIndex entries_;
  std::unique_ptr<Arenas> memory_;
  HandoverPages pages_;
  PinnedProcess process_;
  std::unique_ptr<Handover> handover_;
  std::vector<PreparedCall> prepared_;
  std::vector<Sample> samples_;
  std::vector<Sample> untouched_;
  CacheState cache_ = CacheState::kCold;
  bool asked_to_rest_ = false;
  // Of this process.
  std::size_t threads_ = 1;
  int intervals_ = 0;
  // Of all processes so far.
  int processes_ = 0;
  int intervals_seen_ = 0;
  std::vector<double> worked_ahead_ns_;  // of the intervals where it shows
  int woke_late_ = 0;                    // intervals
  std::string output_;
  int calls_verified_ = 0;
  std::uint32_t layers_ = 0;
};

}  // namespace forge
