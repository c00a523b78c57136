#include "target/cuda/replayer.h"

#include <fmt/format.h>

#include <algorithm>

namespace forge {
namespace {

// All bits set: NaN in every float format, -1 in every integer.
constexpr std::uint8_t kPoison = 0xff;
constexpr std::uint64_t kMarginBytes = 64u << 10;  // on both sides of the workspace
// Reads before the first timed replay, so that no clock is still on its way up from idling.
constexpr int kWakingRotations = 24;
constexpr int kPollsPerLook = 64;

Error stopped(const std::string& cause) {
  return Error{ErrorKind::kInvalidInput, "cannot replay", "the kernel", cause, ""};
}

Error unknown(const char* what) {
  return Error{ErrorKind::kCorrupt, "cannot replay", what, "there is none of that number", ""};
}

}  // namespace

std::string_view replay_fault_name(ReplayFaultKind kind) {
  switch (kind) {
    case ReplayFaultKind::kLaunchError:
      return "launch_error";
    case ReplayFaultKind::kTimeout:
      return "timeout";
    case ReplayFaultKind::kCrash:
      return "crash";
    case ReplayFaultKind::kRefused:
      return "refused";
    case ReplayFaultKind::kInfrastructure:
      break;
  }
  return "infrastructure";
}

Status Replayer::open(const std::string& rotation_ptx) {
  FORGE_TRY_STATUS(rotation_.open(rotation_ptx));
  for (GpuEvent* event : {&first_, &begin_, &end_, &last_}) {
    FORGE_TRY(*event, gpu_.make_event());
  }
  return {};
}

Status Replayer::take_slab(std::uint64_t bytes) {
  if (slab_bytes_ >= bytes) return {};
  if (slab_ != 0) FORGE_TRY_STATUS(gpu_.release(slab_));
  slab_bytes_ = 0;
  FORGE_TRY(slab_, gpu_.allocate(bytes));
  slab_bytes_ = bytes;
  return {};
}

// One for all variants: whatever a call leaves in it is poisoned before the next.
Status Replayer::take_workspace() {
  if (workspace_ != 0) FORGE_TRY_STATUS(gpu_.release(workspace_));
  workspace_ = 0;
  workspace_bytes_ = 0;
  for (const PlanVariant& variant : code_->plan.variants) {
    if (variant.buffers.empty() || variant.buffers.back().kind != PlanBufferKind::kWorkspace) {
      continue;
    }
    workspace_bytes_ = std::max(workspace_bytes_, variant.buffers.back().bytes);
  }
  if (workspace_bytes_ == 0) return {};
  FORGE_TRY(workspace_, gpu_.allocate(workspace_bytes_ + 2 * kMarginBytes));
  return gpu_.fill(workspace_, kPoison, workspace_bytes_ + 2 * kMarginBytes);
}

Status Replayer::begin_trial(ReplaySetup setup, ReplayCode code, std::byte* host) {
  doing_ = Doing::kNothing;
  end_trial();
  setup_ = std::move(setup);
  host_ = host;
  code_ = std::make_unique<ReplayCode>(std::move(code));
  for (const ReplayEntry& entry : setup_.entries) {
    if (entry.variant >= code_->plan.variants.size()) {
      return Error{ErrorKind::kCorrupt, "cannot begin", "a trial", "an entry names no variant", ""};
    }
  }
  FORGE_TRY_STATUS(take_slab(setup_.bytes + kMaxReplayShift));
  // Nothing of an earlier trial may be left.
  FORGE_TRY_STATUS(gpu_.fill(slab_, kPoison, slab_bytes_));
  FORGE_TRY_STATUS(take_workspace());
  FORGE_TRY_STATUS(rotation_.renew(setup_.key));
  doing_ = Doing::kLoading;
  kernel_ = std::make_unique<LoadedKernel>(gpu_, *code_);
  graphs_.resize(setup_.entries.size());
  return kernel_->load();
}

void Replayer::end_trial() {
  kernel_.reset();
  graphs_.clear();
  prepared_.clear();
}

DeviceAddress Replayer::workspace() const {
  return workspace_bytes_ == 0 ? 0 : workspace_ + kMarginBytes;
}

Result<GpuGraph> Replayer::capture(const ReplayEntry& entry) {
  const PlanVariant& variant = code_->plan.variants[entry.variant];
  PlanPlacement placement;
  for (const ReplayTensor& tensor : entry.tensors) placement.push_back(at(tensor.offset));
  if (placement.size() < variant.buffers.size()) placement.push_back(workspace());
  bool fits = placement.size() == variant.buffers.size();
  for (std::size_t i = 0; fits && i < entry.tensors.size(); ++i) {
    fits = variant.buffers[i].bytes <= entry.tensors[i].bytes;
  }
  if (!fits) {
    return Error{ErrorKind::kCorrupt, "cannot capture", "a call",
                 "the plan's buffers are not those of the trial", ""};
  }
  return kernel_->capture(entry.variant, placement);
}

Status Replayer::prepare(std::vector<std::size_t> entries, std::size_t captures) {
  for (const std::size_t entry : entries) {
    if (kernel_ == nullptr || entry >= setup_.entries.size()) return unknown("entry");
  }
  prepared_ = std::move(entries);
  for (const std::size_t number : prepared_) {
    const ReplayEntry& entry = setup_.entries[number];
    for (const ReplayTensor& tensor : entry.tensors) {
      FORGE_TRY_STATUS(
          gpu_.write(at(tensor.begin), host_ + tensor.begin, tensor.end - tensor.begin));
    }
    doing_ = Doing::kLoading;
    while (graphs_[number].size() < captures) {
      FORGE_TRY(const GpuGraph graph, capture(entry));
      graphs_[number].push_back(graph);
    }
  }
  FORGE_TRY_STATUS(gpu_.record(begin_));
  return wait_for(begin_);
}

// What a call may have changed is as before the first: module-scope variables, in-outs, and poison
// where results belong. Canaries stay as they are, since they are evidence.
Status Replayer::put_back(const ReplayEntry& entry) {
  FORGE_TRY_STATUS(kernel_->restore());
  for (const ReplayTensor& tensor : entry.tensors) {
    if (tensor.bytes == 0) continue;
    if (tensor.role == ReplayRole::kOutput) {
      FORGE_TRY_STATUS(gpu_.fill(at(tensor.offset), kPoison, tensor.bytes));
    } else if (tensor.role == ReplayRole::kInOut) {
      FORGE_TRY_STATUS(gpu_.write(at(tensor.offset), host_ + tensor.offset, tensor.bytes));
    }
  }
  if (workspace_bytes_ == 0) return {};
  return gpu_.fill(workspace_ + kMarginBytes, kPoison, workspace_bytes_);
}

Status Replayer::wait_for(GpuEvent event) {
  const std::int64_t begin = clock_.monotonic_ns();
  while (true) {
    for (int i = 0; i < kPollsPerLook; ++i) {
      FORGE_TRY(const bool reached, gpu_.reached(event));
      if (reached) return {};
    }
    if (static_cast<double>(clock_.monotonic_ns() - begin) <= setup_.call_seconds * 1e9) continue;
    own_fault_ =
        ReplayFault{ReplayFaultKind::kTimeout,
                    fmt::format("its launches had not ended after {:.0f} s", setup_.call_seconds)};
    return stopped(own_fault_->reason);
  }
}

Result<double> Replayer::replay_once(const ReplayEntry& entry, GpuGraph graph, ReplayCache cache) {
  FORGE_TRY_STATUS(put_back(entry));
  if (cache == ReplayCache::kWarm) {
    FORGE_TRY_STATUS(gpu_.replay(graph));
    FORGE_TRY_STATUS(put_back(entry));
  } else {
    FORGE_TRY_STATUS(gpu_.record(begin_));
    FORGE_TRY_STATUS(wait_for(begin_));
    // Before the rotation: lines that a kernel asked the L2 to keep would survive it otherwise.
    FORGE_TRY_STATUS(gpu_.forget_persisting_lines());
    FORGE_TRY_STATUS(rotation_.rotate());
  }
  // Else what the host takes to enqueue would be timed with a short kernel.
  FORGE_TRY_STATUS(rotation_.linger());
  FORGE_TRY_STATUS(gpu_.record(begin_));
  FORGE_TRY_STATUS(gpu_.replay(graph));
  FORGE_TRY_STATUS(gpu_.record(end_));
  FORGE_TRY_STATUS(wait_for(end_));
  return gpu_.nanoseconds(begin_, end_);
}

Result<ReplayTimes> Replayer::measure(const std::vector<Replay>& order, ReplayCache cache) {
  doing_ = Doing::kReplaying;
  for (int i = 0; i < kWakingRotations; ++i) FORGE_TRY_STATUS(rotation_.rotate());
  ReplayTimes result;
  const std::int64_t before = clock_.monotonic_ns();
  FORGE_TRY_STATUS(gpu_.record(first_));
  FORGE_TRY_STATUS(wait_for(first_));
  const std::int64_t begun = clock_.monotonic_ns();
  for (const Replay& replay : order) {
    if (replay.call >= prepared_.size()) return unknown("call");
    const std::size_t number = prepared_[replay.call];
    if (replay.capture >= graphs_[number].size()) return unknown("graph");
    FORGE_TRY(const double time_ns,
              replay_once(setup_.entries[number], graphs_[number][replay.capture], cache));
    result.times_ns.push_back(time_ns);
  }
  result.host_within_ns = static_cast<double>(clock_.monotonic_ns() - begun);
  FORGE_TRY_STATUS(gpu_.record(last_));
  FORGE_TRY_STATUS(wait_for(last_));
  result.host_around_ns = static_cast<double>(clock_.monotonic_ns() - before);
  FORGE_TRY(result.event_span_ns, gpu_.nanoseconds(first_, last_));
  return result;
}

Result<bool> Replayer::margins_are_whole() {
  if (workspace_bytes_ == 0) return true;
  std::vector<std::uint8_t> margin(kMarginBytes);
  for (const DeviceAddress side : {workspace_, workspace_ + kMarginBytes + workspace_bytes_}) {
    FORGE_TRY_STATUS(gpu_.read(margin.data(), side, kMarginBytes));
    const bool whole = std::all_of(margin.begin(), margin.end(),
                                   [](std::uint8_t byte) { return byte == kPoison; });
    if (!whole) return false;
  }
  return true;
}

Status Replayer::fetch() {
  for (const std::size_t number : prepared_) {
    for (const ReplayTensor& tensor : setup_.entries[number].tensors) {
      FORGE_TRY_STATUS(
          gpu_.read(host_ + tensor.begin, at(tensor.begin), tensor.end - tensor.begin));
    }
  }
  FORGE_TRY(const bool margins, margins_are_whole());
  FORGE_TRY_STATUS(rotation_.rotate());
  FORGE_TRY(const bool pattern, rotation_.is_whole());
  if (margins && pattern) return {};
  own_fault_ = ReplayFault{ReplayFaultKind::kRefused,
                           margins ? "the kernel wrote into memory that it was never given"
                                   : "the kernel wrote outside its workspace"};
  return stopped(own_fault_->reason);
}

ReplayFault Replayer::explain(const Error& error) const {
  if (own_fault_) return *own_fault_;
  if (const auto& failure = gpu_.failure()) {
    const std::string reason =
        fmt::format("{} ({}) from {}", failure->name, failure->code, error.object);
    const GpuBlame blame = blame_of(failure->code);
    if (blame == GpuBlame::kKernel && doing_ == Doing::kReplaying) {
      return {ReplayFaultKind::kCrash, reason};
    }
    if (blame == GpuBlame::kLaunch && doing_ == Doing::kLoading) {
      return {ReplayFaultKind::kLaunchError, reason};
    }
    return {ReplayFaultKind::kInfrastructure, error.message()};
  }
  if (error.kind == ErrorKind::kInvalidInput) return {ReplayFaultKind::kRefused, error.cause};
  return {ReplayFaultKind::kInfrastructure, error.message()};
}

}  // namespace forge
