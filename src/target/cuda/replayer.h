// Replays one kernel's launch plan and times it. Runs in a process of its own, which no host code
// of a candidate ever enters. May know: base, sys/clock.h, gpu.h, plan_replay.h, rotation.h.
//
// The order of things is docs/formats/replay-protocol.md's. What this says of times and faults is
// believed; what lies in memory afterwards is not: whoever started it compares that.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sys/clock.h"
#include "target/cuda/gpu.h"
#include "target/cuda/plan_replay.h"
#include "target/cuda/replay_setup.h"
#include "target/cuda/rotation.h"

namespace forge {

enum class ReplayCache { kCold, kWarm };

// One timed replay: which of the prepared calls, and which of its graphs.
struct Replay {
  std::size_t call = 0;
  std::size_t capture = 0;
};

struct ReplayTimes {
  std::vector<double> times_ns;  // as the order asked for
  // From before the first to after the last by the device's clock, and by the host's what holds
  // that span and what it holds: a host that is woken late can tell no closer.
  double event_span_ns = 0;
  double host_around_ns = 0;
  double host_within_ns = 0;
};

enum class ReplayFaultKind { kLaunchError, kTimeout, kCrash, kRefused, kInfrastructure };
std::string_view replay_fault_name(ReplayFaultKind kind);
struct ReplayFault {
  ReplayFaultKind kind = ReplayFaultKind::kInfrastructure;
  std::string reason;
};

class Replayer {
 public:
  // References must outlive it.
  Replayer(Gpu& gpu, Clock& clock) : gpu_(gpu), clock_(clock), rotation_(gpu) {}
  Status open(const std::string& rotation_ptx);

  void pin(std::byte* host, std::uint64_t bytes) { gpu_.pin(host, bytes); }

  // `host` holds what the slab is to hold, and takes what it held; it must outlive the trial.
  Status begin_trial(ReplaySetup setup, ReplayCode code, std::byte* host);
  // Brings the entries' buffers onto the device; captures what is missing of `captures` graphs
  // each. An entry or graph that there is not is an error, here and below.
  Status prepare(std::vector<std::size_t> entries, std::size_t captures);
  Result<ReplayTimes> measure(const std::vector<Replay>& order, ReplayCache cache);
  // Brings the prepared entries' buffers back, canaries included.
  Status fetch();
  void end_trial();
  // Of this trial; 0 without one.
  DeviceAddress workspace() const;

  // After any of the above has failed.
  ReplayFault explain(const Error& error) const;

 private:
  enum class Doing { kNothing, kLoading, kReplaying };

  Status take_slab(std::uint64_t bytes);
  Status take_workspace();
  Result<GpuGraph> capture(const ReplayEntry& entry);
  Status put_back(const ReplayEntry& entry);
  Result<double> replay_once(const ReplayEntry& entry, GpuGraph graph, ReplayCache cache);
  Status wait_for(GpuEvent event);
  Result<bool> margins_are_whole();
  DeviceAddress at(std::uint64_t offset) const { return slab_ + setup_.shift + offset; }

  Gpu& gpu_;
  Clock& clock_;
  Rotation rotation_;
  GpuEvent first_{};
  GpuEvent begin_{};
  GpuEvent end_{};
  GpuEvent last_{};
  DeviceAddress slab_ = 0;
  std::uint64_t slab_bytes_ = 0;
  DeviceAddress workspace_ = 0;  // margins included
  std::uint64_t workspace_bytes_ = 0;
  ReplaySetup setup_;
  std::unique_ptr<ReplayCode> code_;
  std::unique_ptr<LoadedKernel> kernel_;
  std::byte* host_ = nullptr;
  std::vector<std::vector<GpuGraph>> graphs_;  // by entry
  std::vector<std::size_t> prepared_;
  Doing doing_ = Doing::kNothing;
  std::optional<ReplayFault> own_fault_;  // one that no call of the driver shows
};

}  // namespace forge
