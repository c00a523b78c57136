// Starts forge-planner and brings back what it noted down. May know: sys, target,
// runner_protocol.h.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "judge/outcome.h"
#include "sys/pinned_process.h"
#include "sys/shared_memory.h"
#include "target/cuda/planner_setup.h"
#include "target/cuda/recording.h"
#include "worker/runner_protocol.h"

namespace forge {

// The programs and memory files that every planner of a kernel shares.
class PlannerProgram {
 public:
  PlannerProgram() = default;
  // `recorder`: bytes of libforge_cuda.so; `image`: the candidate's shared object, its initialisers
  // disarmed.
  static Result<PlannerProgram> make(const std::string& recorder, std::span<const std::byte> image);

  int planner_fd() const { return planner_.fd(); }
  int recorder_fd() const { return recorder_.fd(); }
  int image_fd() const { return image_.fd(); }

 private:
  SharedMemory planner_;
  SharedMemory recorder_;
  SharedMemory image_;
};

enum class PlannerTask { kRecord, kOccupancy };

// One planner at work. Killed when it goes away.
class PlannerProcess {
 public:
  static Result<PlannerProcess> start(const PlannerProgram& program,
                                      const std::vector<std::byte>& setup, PlannerTask task,
                                      std::vector<int> cpus);

  // Waits for its end, at most `limit`; kills it then. nullopt: it was still at work.
  std::optional<ProcessEnd> wait(std::chrono::milliseconds limit);
  const runner::StatusPage& status() const;
  // Only once it has ended.
  Result<Recording> recording(std::size_t calls, std::size_t questions) const;
  const std::string& output() { return process_.output(); }

 private:
  PinnedProcess process_;
  SharedMemory status_;
  SharedMemory setup_;
  SharedMemory recording_;
};

// What an end before all calls were made says of the candidate, in words that name the shape. An
// Error if it is the machinery's doing.
struct PlannerEndContext {
  const PlannerSetup& setup;
  const std::vector<std::vector<PlanBuffer>>& buffers;  // by variant
  const std::vector<std::string>& shapes;               // by variant
};
Result<CandidateOutcome> describe_planner_end(const std::optional<ProcessEnd>& end,
                                              const runner::StatusPage& status,
                                              double limit_seconds,
                                              const PlannerEndContext& context);

}  // namespace forge
