#include "worker/process_arm.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "sys/cache_lines.h"
#include "worker/fault_text.h"

namespace forge {
namespace {

using runner::kPageBytes;

// All bits set: NaN in every float format, -1 in every integer.
constexpr int kPoison = 0xff;
constexpr double kSetUpSeconds = 60;
constexpr int kSamplesPerOutput = 256;
constexpr std::size_t kKeptOutput = 4096;

bool is_poison(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte b) { return b == std::byte{kPoison}; });
}

ArmFault infrastructure(const Error& error) {
  return {FaultKind::kInfrastructure, -1, error.message()};
}

}  // namespace

ProcessArm::ProcessArm(ProcessArmConfig config, Launcher& launcher)
    : config_(std::move(config)), launcher_(&launcher) {}

ProcessArm::~ProcessArm() { tear_down(); }

std::byte* ProcessArm::at(const BufferPlace& place) const {
  const SharedMemory& memory =
      place.region == runner::Region::kInputs ? memory_->inputs : memory_->outputs;
  return memory.data() + place.offset;
}

std::optional<ArmFault> ProcessArm::set_up(Random& random) {
  const std::vector<ShapeInstances>& shapes = config_.contents->shapes().instances;
  plan_ = plan_arena(shapes, config_.slots_per_shape, random);
  entries_ = EntryIndex(plan_, shapes);
  memory_ = config_.arenas->take(random);
  // Nothing of an earlier trial may be left: least of all another arm's right answers.
  std::memset(memory_->inputs.data(), kPoison, memory_->inputs.bytes());
  std::memset(memory_->outputs.data(), kPoison, memory_->outputs.bytes());
  auto pages = create_pages();
  if (!pages) return infrastructure(pages.error());
  pages_ = std::move(*pages);
  SetupRequest request;
  request.signature = config_.signature;
  request.shapes = &shapes;
  request.plan = &plan_;
  auto process = launcher_->launch(pages_, *memory_, request);
  if (!process) return infrastructure(process.error());
  process_ = std::move(*process);
  handover_ = std::make_unique<Handover>(process_, pages_.command, pages_.status, *config_.clock);
  if (const auto failed = handover_->wait_until_serving(kSetUpSeconds)) {
    return explain(*failed, -1);
  }
  layers_ = handover_->status().layers;
  return std::nullopt;
}

void ProcessArm::fill_slot(const Slot& slot, const Instance& instance, const Content& content) {
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    const BufferPlace& place = slot.tensors[t];
    std::byte* const first = at(place);
    std::byte* const pages = first - (place.offset - place.pages_begin);
    std::size_t filled = 0;
    if (instance.tensors[t].present && instance.tensors[t].param->direction != Direction::kOutput) {
      const std::span<const std::byte> initial = content.initial[t].bytes();
      std::memcpy(first, initial.data(), initial.size());
      filled = initial.size();
    }
    std::memset(pages, kPoison, place.offset - place.pages_begin);
    std::memset(first + filled, kPoison, place.pages_end - place.offset - filled);
  }
}

void ProcessArm::flush_slot(const Slot& slot) {
  for (const BufferPlace& place : slot.tensors) {
    const std::byte* pages = at(place) - (place.offset - place.pages_begin);
    flush_cache_lines(pages, place.pages_end - place.pages_begin);
  }
}

// Where to look the moment the kernel says it is done. The ends of a buffer are always among them,
// since a late writer most likely finishes there.
void ProcessArm::choose_samples(const Slot& slot, const Instance& instance, Random& random) {
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    if (instance.tensors[t].param->direction == Direction::kInput) continue;
    const std::size_t words = instance.tensors[t].layout.span_bytes() / sizeof(std::uint64_t);
    if (!instance.tensors[t].present || words == 0) continue;
    const std::byte* first = at(slot.tensors[t]);
    samples_.push_back({first + (words - 1) * sizeof(std::uint64_t), 0});
    samples_.push_back({first, 0});
    for (int i = 0; i < kSamplesPerOutput; ++i) {
      samples_.push_back({first + random.below(words) * sizeof(std::uint64_t), 0});
    }
  }
}

std::optional<ArmFault> ProcessArm::prepare(const std::vector<Call>& calls, CacheState cache,
                                            Random& random) {
  prepared_.clear();
  samples_.clear();
  const std::size_t shape = static_cast<std::size_t>(calls.front().shape);
  std::vector<int> slots = plan_.by_shape[shape];
  FORGE_CHECK(slots.size() >= calls.size());
  random.shuffle(slots);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Slot& slot = plan_.slots[static_cast<std::size_t>(slots[i])];
    fill_slot(slot, config_.contents->instance(shape, calls[i].content),
              config_.contents->content(shape, calls[i].content));
    prepared_.push_back({calls[i], slots[i]});
  }
  // The last call is looked at first: it has had the least time to be finished behind our back.
  for (auto call = prepared_.rbegin(); call != prepared_.rend(); ++call) {
    choose_samples(plan_.slots[static_cast<std::size_t>(call->slot)],
                   config_.contents->instance(shape, call->call.content), random);
  }
  if (cache == CacheState::kCold) {
    for (const PreparedCall& call : prepared_) {
      flush_slot(plan_.slots[static_cast<std::size_t>(call.slot)]);
    }
  }
  return std::nullopt;
}

void ProcessArm::take_samples() {
  for (Sample& sample : samples_) std::memcpy(&sample.value, sample.where, sizeof sample.value);
}

MeasureOutcome ProcessArm::measure() {
  std::vector<std::uint32_t> entries;
  for (const PreparedCall& call : prepared_) {
    const auto shape = static_cast<std::size_t>(call.call.shape);
    const int group = config_.contents->content(shape, call.call.content).group;
    entries.push_back(entries_.of(call.slot, group));
  }
  const HandoverOutcome outcome =
      handover_->run_interval(entries, config_.call_seconds, [this] { take_samples(); });
  if (const auto* done = std::get_if<CallsDone>(&outcome)) return Nanoseconds{done->nanoseconds};
  return explain(outcome, prepared_.front().call.shape);
}

std::optional<ArmFault> ProcessArm::check_samples(int shape) const {
  for (const Sample& sample : samples_) {
    if (std::memcmp(&sample.value, sample.where, sizeof sample.value) != 0) {
      return ArmFault{FaultKind::kRefused, shape,
                      "outputs still changed after forge_launch had returned: work must be "
                      "finished by then, and nothing may run between calls"};
    }
  }
  return std::nullopt;
}

// Inputs unchanged, and nothing written beside any buffer.
std::optional<ArmFault> ProcessArm::check_surroundings(const Slot& slot, const Instance& instance,
                                                       const Content& content) const {
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    const BufferPlace& place = slot.tensors[t];
    const ConcreteTensor& tensor = instance.tensors[t];
    const std::byte* first = at(place);
    const std::byte* pages = first - (place.offset - place.pages_begin);
    const std::size_t used = tensor.present ? tensor.layout.span_bytes() : 0;
    if (!is_poison(pages, first) ||
        !is_poison(first + used, pages + (place.pages_end - place.pages_begin))) {
      return ArmFault{FaultKind::kRefused, slot.shape,
                      "the kernel wrote outside '" + tensor.param->name + "'"};
    }
    if (used > 0 && tensor.param->direction == Direction::kInput &&
        std::memcmp(first, content.initial[t].bytes().data(), used) != 0) {
      return ArmFault{FaultKind::kInputsModified, slot.shape, tensor.param->name};
    }
  }
  return std::nullopt;
}

std::optional<ArmFault> ProcessArm::verify() {
  const int shape = prepared_.front().call.shape;
  if (auto fault = check_samples(shape)) return fault;
  const auto shape_index = static_cast<std::size_t>(shape);
  bool right = true;
  for (const PreparedCall& call : prepared_) {
    const Slot& slot = plan_.slots[static_cast<std::size_t>(call.slot)];
    const Instance& instance = config_.contents->instance(shape_index, call.call.content);
    const Content& content = config_.contents->content(shape_index, call.call.content);
    if (auto fault = check_surroundings(slot, instance, content)) return fault;
    std::vector<const std::byte*> tensors;
    for (const BufferPlace& place : slot.tensors) tensors.push_back(at(place));
    const auto checked = config_.checker->check(shape_index, call.call.content, tensors);
    if (!checked) return infrastructure(checked.error());
    right = right && *checked;
    ++calls_verified_;
  }
  if (right) return std::nullopt;
  return ArmFault{FaultKind::kWrong, shape, "the outputs are wrong"};
}

ArmFault ProcessArm::explain(const HandoverOutcome& outcome, int shape) {
  if (const auto* failed = std::get_if<LaunchFailed>(&outcome)) {
    return {FaultKind::kLaunchError, shape,
            "forge_launch returned " + std::to_string(failed->result)};
  }
  if (const auto* stuck = std::get_if<NotReturned>(&outcome)) {
    const bool serving = shape >= 0;
    return {
        FaultKind::kTimeout, shape,
        std::string(serving ? "forge_launch had" : "static initialisers or forge_workspace had") +
            " not returned after " + std::to_string(static_cast<int>(stuck->seconds)) + " s"};
  }
  const auto* ended = std::get_if<ProcessEnded>(&outcome);
  FORGE_CHECK(ended != nullptr);
  return describe_process_end(ended->end, handover_->status(), plan_, *config_.signature, shape);
}

void ProcessArm::keep_output() {
  const std::string& text = process_.output();
  if (output_.size() < kKeptOutput) output_ += clip(printable(text), kKeptOutput - output_.size());
}

void ProcessArm::tear_down() {
  handover_.reset();
  if (memory_ == nullptr) return;
  process_.kill();
  keep_output();
  process_ = PinnedProcess();
  config_.arenas->give_back(std::move(memory_));
}

}  // namespace forge
