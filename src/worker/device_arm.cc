#include "worker/device_arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "stats/trial.h"
#include "target/cuda/replay_setup.h"
#include "worker/device_setup.h"

namespace forge {
namespace {

constexpr std::size_t kKeptOutput = 4096;
// Besides the calls themselves: a context that is slow to answer, memory to be copied.
constexpr double kPatienceSeconds = 60;
// A captured graph has a small offset of its own, so each sample draws on many.
constexpr std::size_t kReplays = 16;
constexpr std::size_t kReplaysOfUnknown = 8;
constexpr double kReplayBudgetNs = 50e6;
constexpr std::uint64_t kShiftUnit = 256;
// The device's clock and ours, over the same span.
constexpr double kClockShare = 0.02;
constexpr double kClockSlackNs = 300e3;
// Bandwidths and clocks are nominal.
constexpr double kFloorShare = 0.97;

// What comes back from a device has canaries, and no pages of ours beside it.
Defences device_defences() {
  Defences defences;
  defences.leave_out(Defence::kGuardPages);
  return defences;
}

ArmFault infrastructure(const std::string& reason, int shape = -1) {
  return {FaultKind::kInfrastructure, shape, reason};
}

}  // namespace

double floor_ns(const Instance& instance, const GpuFacts& device) {
  if (!instance.work_bytes || !(device.memory_bytes_per_ns > 0)) return 0;
  std::uint64_t written = 0;
  for (const ConcreteTensor& tensor : instance.tensors) {
    if (tensor.present && tensor.param->direction != Direction::kInput) {
      written += tensor.layout.span_bytes();
    }
  }
  const auto kept = static_cast<double>(std::min(written, device.profile.l2_bytes));
  const double moved = static_cast<double>(*instance.work_bytes) - kept;
  return moved > 0 ? moved / device.memory_bytes_per_ns : 0;
}

DeviceArm::DeviceArm(DeviceArmConfig config, DeviceLauncher& launcher)
    : config_(std::move(config)), launcher_(&launcher) {
  call_ns_.resize(config_.slots_per_shape.size(), 0);
}

DeviceArm::~DeviceArm() {
  end_process();
  if (next_) next_->dismiss();
}

SlotMemory DeviceArm::slot_memory() const {
  return {arena_.data(), arena_.data() + plan_.inputs_bytes};
}

std::variant<Json, ArmFault> DeviceArm::ask(const Json& request,
                                            const std::vector<int>& descriptors, double seconds,
                                            FaultKind when_silent, int shape) {
  auto answer = process_->ask(request, descriptors, seconds, when_silent);
  if (auto* fault = std::get_if<ArmFault>(&answer)) {
    fault->shape = shape;
    // A context that has failed serves no more, and one that hangs must not go on.
    end_process();
  }
  return answer;
}

std::optional<ArmFault> DeviceArm::start_process() {
  if (!next_) {
    auto process = launcher_->start();
    if (!process) return infrastructure(process.error().message());
    next_ = std::move(*process);
  }
  process_ = std::move(*next_);
  next_.reset();
  if (const auto greeted = process_->greet(launcher_->patience()); !greeted) {
    end_process();
    return infrastructure(greeted.error().message());
  }
  Json request = Json::object();
  request.set("do", "arena");
  const auto answer = ask(request, {arena_.fd()}, kPatienceSeconds, FaultKind::kInfrastructure, -1);
  if (const auto* fault = std::get_if<ArmFault>(&answer)) return *fault;
  return std::nullopt;
}

std::optional<ArmFault> DeviceArm::set_up(Random& random) {
  const std::vector<ShapeInstances>& shapes = config_.contents->shapes().instances;
  plan_ = plan_arena(shapes, config_.slots_per_shape, random, kDeviceArena);
  entries_ = EntryIndex(plan_, shapes);
  if (arena_.data() == nullptr) {
    auto arena = SharedMemory::create("forge-arena", slab_bytes(plan_));
    if (!arena) return infrastructure(arena.error().message());
    arena_ = std::move(*arena);
  }
  if (!process_) {
    if (auto fault = start_process()) return fault;
  }
  DeviceSetup setup;
  setup.shapes = &shapes;
  setup.plan = &plan_;
  setup.shift = random.below(kMaxReplayShift / kShiftUnit) * kShiftUnit;
  setup.key = static_cast<std::uint32_t>(random.next());
  setup.call_seconds = config_.call_seconds;
  const std::string text = device_setup(setup).dump();
  const auto memory = SharedMemory::with_content("forge-setup", text.data(), text.size());
  if (!memory) return infrastructure(memory.error().message());
  std::vector<int> descriptors = launcher_->trial_descriptors();
  descriptors.insert(descriptors.begin(), memory->fd());
  Json request = Json::object();
  request.set("do", "trial");
  const auto answer = ask(request, descriptors, config_.call_seconds + kPatienceSeconds,
                          FaultKind::kInfrastructure, -1);
  if (const auto* fault = std::get_if<ArmFault>(&answer)) return *fault;
  return std::nullopt;
}

std::size_t DeviceArm::captures_for(std::size_t shape, std::size_t calls) const {
  std::size_t replays = kReplaysOfUnknown;
  if (call_ns_[shape] > 0) {
    const double affordable = kReplayBudgetNs / call_ns_[shape];
    replays = affordable >= kReplays
                  ? kReplays
                  : std::max<std::size_t>(static_cast<std::size_t>(affordable), 2);
  }
  return std::max<std::size_t>((replays + calls - 1) / calls, 1);
}

void DeviceArm::choose_order(std::size_t captures, Random& random) {
  order_.clear();
  for (std::size_t call = 0; call < prepared_.size(); ++call) {
    for (std::size_t capture = 0; capture < captures; ++capture) order_.emplace_back(call, capture);
  }
  random.shuffle(order_);
}

std::optional<ArmFault> DeviceArm::prepare(const std::vector<Call>& calls, CacheState cache,
                                           Random& random) {
  prepared_.clear();
  cache_ = cache;
  const int shape = calls.front().shape;
  const auto shape_index = static_cast<std::size_t>(shape);
  std::vector<int> slots = plan_.by_shape[shape_index];
  FORGE_CHECK(slots.size() >= calls.size());
  random.shuffle(slots);
  Json entries = Json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Content& content = config_.contents->content(shape_index, calls[i].content);
    fill_slot(slot_memory(), plan_.slots[static_cast<std::size_t>(slots[i])],
              config_.contents->instance(shape_index, calls[i].content), content,
              device_defences());
    prepared_.push_back({calls[i], slots[i]});
    entries.push_back(std::int64_t{entries_.of(slots[i], content.group)});
  }
  const std::size_t captures = captures_for(shape_index, calls.size());
  choose_order(captures, random);
  Json request = Json::object();
  request.set("do", "prepare");
  request.set("entries", std::move(entries));
  request.set("captures", std::uint64_t{captures});
  const auto answer =
      ask(request, {}, config_.call_seconds + kPatienceSeconds, FaultKind::kInfrastructure, shape);
  if (const auto* fault = std::get_if<ArmFault>(&answer)) return *fault;
  const Json* mode = std::get<Json>(answer).find("mode");
  if (mode != nullptr && mode->as_string() != nullptr && !mode_told_ && config_.on_mode) {
    config_.on_mode(printable(*mode->as_string()));
    mode_told_ = true;
  }
  return std::nullopt;
}

// Several replays of each call: their trimmed geometric mean is the call's time.
std::variant<DeviceArm::Sample, ArmFault> DeviceArm::read_times(const Json& answer,
                                                                int shape) const {
  const JsonReader reader(answer, "an answer");
  const auto times = reader.array("times_ns");
  const auto events = reader.number("event_span_ns");
  const auto around = reader.number("host_around_ns");
  const auto within = reader.number("host_within_ns");
  if (!times || !events || !around || !within || (*times)->as_array()->size() != order_.size()) {
    return infrastructure("it answered with no times", shape);
  }
  if (*events > (1 + kClockShare) * *around + kClockSlackNs ||
      *events < (1 - kClockShare) * *within - kClockSlackNs) {
    return infrastructure(
        fmt::format("the device's clock says {:.0f} us, ours at least {:.0f} and at most {:.0f} us",
                    *events / 1e3, *within / 1e3, *around / 1e3),
        shape);
  }
  std::vector<std::vector<double>> logs(prepared_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    double time_ns = 0;
    if (!(*(*times)->as_array())[i].as_number(time_ns) || !(time_ns > 0)) {
      return infrastructure("a time that it measured is no time", shape);
    }
    logs[order_[i].first].push_back(std::log(time_ns));
  }
  Sample sample;
  for (std::size_t call = 0; call < logs.size(); ++call) {
    const double call_ns = std::exp(shape_value(logs[call]));
    sample.interval_ns += call_ns;
    sample.shortest_call_ns = call == 0 ? call_ns : std::min(sample.shortest_call_ns, call_ns);
  }
  return sample;
}

std::variant<DeviceArm::Sample, ArmFault> DeviceArm::sample() {
  const int shape = prepared_.front().call.shape;
  Json order = Json::array();
  for (const auto& [call, capture] : order_) {
    Json pair = Json::array();
    pair.push_back(std::uint64_t{call});
    pair.push_back(std::uint64_t{capture});
    order.push_back(std::move(pair));
  }
  Json request = Json::object();
  request.set("do", "measure");
  request.set("order", std::move(order));
  request.set("cache", cache_name(cache_));
  const double limit =
      config_.call_seconds * static_cast<double>(order_.size() + 1) + kPatienceSeconds;
  const auto answer = ask(request, {}, limit, FaultKind::kTimeout, shape);
  if (const auto* fault = std::get_if<ArmFault>(&answer)) return *fault;
  return read_times(std::get<Json>(answer), shape);
}

MeasureOutcome DeviceArm::measure() {
  const auto shape = static_cast<std::size_t>(prepared_.front().call.shape);
  const double floor = cache_ == CacheState::kCold ? kFloorShare * config_.floor_ns[shape] : 0;
  auto measured = sample();
  const auto too_fast = [&] {
    const auto* sampled = std::get_if<Sample>(&measured);
    return sampled != nullptr && sampled->shortest_call_ns < floor;
  };
  if (too_fast()) measured = sample();
  if (too_fast()) {
    return infrastructure(
        fmt::format("a call took {:.2f} us, twice, and what [work] says it moves takes this device "
                    "{:.2f} us: the time can't be right, or [work] is not",
                    std::get<Sample>(measured).shortest_call_ns / 1e3,
                    config_.floor_ns[shape] / 1e3),
        static_cast<int>(shape));
  }
  if (const auto* fault = std::get_if<ArmFault>(&measured)) return *fault;
  const double interval_ns = std::get<Sample>(measured).interval_ns;
  call_ns_[shape] = interval_ns / static_cast<double>(prepared_.size());
  return Nanoseconds{interval_ns};
}

std::optional<ArmFault> DeviceArm::check_outputs(const PreparedCall& prepared, bool& right) {
  const auto shape = static_cast<std::size_t>(prepared.call.shape);
  const Content& content = config_.contents->content(shape, prepared.call.content);
  const Instance& instance = config_.contents->instance(shape, prepared.call.content);
  const std::vector<const std::byte*> tensors =
      slot_memory().tensors(plan_.slots[static_cast<std::size_t>(prepared.slot)]);
  auto& known = found_right_[{prepared.call.shape, prepared.call.content}];
  bool same = !known.empty();
  for (std::size_t i = 0; same && i < content.expected.size(); ++i) {
    const std::size_t tensor = content.expected[i].tensor;
    same = std::memcmp(known[i].data(), tensors[tensor], known[i].size()) == 0;
  }
  if (same) return std::nullopt;
  const auto checked = config_.checker->check(shape, prepared.call.content, tensors);
  if (!checked) return infrastructure(checked.error().message(), prepared.call.shape);
  right = right && *checked;
  if (!*checked) return std::nullopt;
  known.clear();
  for (const ExpectedOutput& expected : content.expected) {
    const std::byte* first = tensors[expected.tensor];
    known.emplace_back(first, first + instance.tensors[expected.tensor].layout.span_bytes());
  }
  return std::nullopt;
}

std::optional<ArmFault> DeviceArm::verify() {
  const int shape = prepared_.front().call.shape;
  Json request = Json::object();
  request.set("do", "fetch");
  const auto answer =
      ask(request, {}, config_.call_seconds + kPatienceSeconds, FaultKind::kInfrastructure, shape);
  if (const auto* fault = std::get_if<ArmFault>(&answer)) return *fault;
  bool right = true;
  for (const PreparedCall& prepared : prepared_) {
    const auto shape_index = static_cast<std::size_t>(shape);
    if (auto fault = check_surroundings(
            slot_memory(), plan_.slots[static_cast<std::size_t>(prepared.slot)],
            config_.contents->instance(shape_index, prepared.call.content),
            config_.contents->content(shape_index, prepared.call.content), device_defences())) {
      return fault;
    }
    if (auto fault = check_outputs(prepared, right)) return fault;
    ++calls_verified_;
  }
  if (right) return std::nullopt;
  return ArmFault{FaultKind::kWrong, shape, "the outputs are wrong"};
}

void DeviceArm::tear_down() {
  prepared_.clear();
  keep_output();
  if (launcher_->lifetime() == DeviceLauncher::Lifetime::kArm) return;
  end_process();
  if (next_) return;
  // If it can't be started, the next trial says so.
  if (auto next = launcher_->start()) next_ = std::move(*next);
}

void DeviceArm::keep_output() {
  if (!process_) return;
  output_ = clip(ended_output_ + printable(process_->output()), kKeptOutput);
}

void DeviceArm::end_process() {
  if (!process_) return;
  process_->kill();
  keep_output();
  ended_output_ = output_;
  process_.reset();
}

}  // namespace forge
