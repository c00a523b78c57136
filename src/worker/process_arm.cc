#include "worker/process_arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text.h"
#include "sys/cache_lines.h"
#include "worker/fault_text.h"

namespace forge {
namespace {

constexpr double kSetUpSeconds = 60;
constexpr int kSamplesPerOutput = 256;
// Of each call, before the others: few enough to be read in the time of a short call, so that no
// call can be made up for meanwhile.
constexpr int kFirstSamplesPerOutput = 4;
constexpr std::size_t kKeptOutput = 4096;
constexpr std::size_t kUntouchedWords = 8;
// In most intervals no honest process comes near it on a busy machine either. For milliseconds on
// end one may: a virtual processor that is taken away while the process wakes counts as its work.
constexpr double kTooLongAhead = 300e3;
constexpr int kIntervalsToTell = 16;
// What outputs hold before a call: NaN in every float format and -1 in every integer, or large
// numbers. A kernel that leaves out what one of them already says is wrong with the other.
constexpr int kOutputPoisons[] = {kPoison, 0x7f};
// Besides the first interval, one in so many ends with a look at whether the threads sleep.
constexpr std::uint64_t kRestsSeldom = 16;

ArmFault infrastructure(const Error& error) {
  return {FaultKind::kInfrastructure, -1, error.message()};
}

}  // namespace

ProcessArm::ProcessArm(ProcessArmConfig config, Launcher& launcher)
    : config_(std::move(config)), launcher_(&launcher) {}

ProcessArm::~ProcessArm() { tear_down(); }

SlotMemory ProcessArm::slot_memory() const {
  return {memory_->inputs.data(), memory_->outputs.data()};
}

std::optional<ArmFault> ProcessArm::set_up(Random& random) {
  const std::vector<ShapeInstances>& shapes = config_.contents->shapes().instances;
  plan_ = plan_arena(shapes, config_.slots_per_shape, random);
  if (!has(Defence::kGuardPages)) plan_.guards.clear();
  entries_ = EntryIndex(plan_, shapes);
  memory_ = config_.arenas->take(random);
  ++processes_;
  intervals_ = 0;
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
  if (const auto failed = handover_->wait_until_loaded(kSetUpSeconds)) return explain(*failed, -1);
  layers_ = handover_->status().layers;
  if (const auto failed = handover_->wait_until_serving(kSetUpSeconds)) return explain(*failed, -1);
  return std::nullopt;
}

void ProcessArm::flush_slot(const Slot& slot) {
  for (const BufferPlace& place : slot.tensors) {
    const std::byte* pages = slot_memory().at(place) - (place.offset - place.pages_begin);
    flush_cache_lines(pages, place.pages_end - place.pages_begin);
  }
}

// Where to look the moment the kernel says it is done: `count` places of each output, and with
// `ends` those where a late writer most likely finishes.
void ProcessArm::choose_samples(const Slot& slot, const Instance& instance, int count, Ends ends,
                                Random& random) {
  for (std::size_t t = 0; t < slot.tensors.size(); ++t) {
    if (instance.tensors[t].param->direction == Direction::kInput) continue;
    const std::size_t span = instance.tensors[t].layout.span_bytes();
    if (!instance.tensors[t].present || span == 0) continue;
    const auto bytes = static_cast<std::uint32_t>(std::min(span, sizeof(std::uint64_t)));
    const std::byte* first = slot_memory().at(slot.tensors[t]);
    if (ends == Ends::kToo || span <= 2 * bytes) {
      samples_.push_back({first + span - bytes, 0, bytes});
      samples_.push_back({first, 0, bytes});
    }
    for (int i = 0; i < count && span > 2 * bytes; ++i) {
      samples_.push_back({first + random.below(span - bytes + 1), 0, bytes});
    }
  }
}

// A few of the words that nobody but the kernel writes, and it not before it is called.
void ProcessArm::choose_untouched(Random& random) {
  untouched_ = samples_;
  random.shuffle(untouched_);
  untouched_.resize(std::min(untouched_.size(), kUntouchedWords));
  for (Sample& word : untouched_) word.take();
}

bool ProcessArm::outputs_are_untouched() const {
  bool same = true;
  for (const Sample& word : untouched_) {
    same = same && word.holds();
    if (cache_ == CacheState::kCold) flush_cache_lines(word.where, word.bytes);
  }
  return same;
}

std::optional<ArmFault> ProcessArm::prepare(const std::vector<Call>& calls, CacheState cache,
                                            Random& random) {
  prepared_.clear();
  samples_.clear();
  cache_ = cache;
  threads_ = is_suspect() ? process_.threads().size() : 1;
  asked_to_rest_ = random.below(kRestsSeldom) == 0 || intervals_ == 0;
  const std::size_t shape = static_cast<std::size_t>(calls.front().shape);
  std::vector<int> slots = plan_.by_shape[shape];
  FORGE_CHECK(slots.size() >= calls.size());
  if (has(Defence::kMovedBuffers)) random.shuffle(slots);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Slot& slot = plan_.slots[static_cast<std::size_t>(slots[i])];
    fill_slot(slot_memory(), slot, config_.contents->instance(shape, calls[i].content),
              config_.contents->content(shape, calls[i].content), config_.defences,
              kOutputPoisons[random.below(std::size(kOutputPoisons))]);
    prepared_.push_back({calls[i], slots[i]});
  }
  // A look at each call first, in no order that could be foreseen; then a closer one, the last call
  // first, since it has had the least time to be finished behind our back.
  std::vector<PreparedCall> order(prepared_.rbegin(), prepared_.rend());
  const std::vector<PreparedCall> last_first = order;
  random.shuffle(order);
  const auto choose = [&](const PreparedCall& call, int count, Ends ends) {
    choose_samples(plan_.slots[static_cast<std::size_t>(call.slot)],
                   config_.contents->instance(shape, call.call.content), count, ends, random);
  };
  for (const PreparedCall& call : order) choose(call, kFirstSamplesPerOutput, Ends::kNot);
  for (const PreparedCall& call : last_first) choose(call, kSamplesPerOutput, Ends::kToo);
  choose_untouched(random);
  if (cache == CacheState::kCold) {
    for (const PreparedCall& call : prepared_) {
      flush_slot(plan_.slots[static_cast<std::size_t>(call.slot)]);
    }
  }
  return std::nullopt;
}

void ProcessArm::take_samples() {
  for (Sample& sample : samples_) sample.take();
}

MeasureOutcome ProcessArm::measure() {
  Handover::Interval interval;
  for (const PreparedCall& call : prepared_) {
    const auto shape = static_cast<std::size_t>(call.call.shape);
    const int group = config_.contents->content(shape, call.call.content).group;
    interval.entries.push_back(entries_.of(call.slot, group));
  }
  interval.seconds_a_call = config_.call_seconds;
  interval.processors = threads_ > 1 ? config_.processors : 1;
  interval.untouched = [this] {
    return outputs_are_untouched() || !has(Defence::kUntouchedOutputs);
  };
  interval.sample = [this] { take_samples(); };
  const HandoverOutcome outcome = handover_->run_interval(interval);
  if (const auto* done = std::get_if<CallsDone>(&outcome)) {
    ++intervals_;
    ++intervals_seen_;
    woke_late_ += done->woke_late ? 1 : 0;
    if (done->ahead_ns > kTooLongAhead) worked_ahead_ns_.push_back(done->ahead_ns);
    const bool counted = is_suspect() && has(Defence::kCountedWindow);
    return Nanoseconds{done->calls_ns + (counted ? done->ahead_ns : 0)};
  }
  return explain(outcome, prepared_.front().call.shape);
}

std::optional<ArmFault> ProcessArm::check_samples(int shape) const {
  if (!has(Defence::kSample)) return std::nullopt;
  for (const Sample& sample : samples_) {
    if (sample.holds()) continue;
    const std::size_t threads = process_.threads().size();
    return ArmFault{FaultKind::kRefused, shape,
                    fmt::format("outputs still changed after forge_launch had returned: work must "
                                "be finished by then, and nothing may run between calls{}",
                                threads > 1 ? fmt::format(" ({} of its threads were left besides "
                                                          "the one that is called)",
                                                          threads - 1)
                                            : "")};
  }
  return std::nullopt;
}

std::optional<ArmFault> ProcessArm::check_work_ahead(int shape) const {
  if (!is_suspect() || !has(Defence::kCountedWindow)) return std::nullopt;
  if (intervals_seen_ < kIntervalsToTell) return std::nullopt;
  const auto often = static_cast<int>(worked_ahead_ns_.size());
  if (2 * often > intervals_seen_) {
    return ArmFault{
        FaultKind::kRefused, shape,
        fmt::format("the kernel worked for {} before it was called, and the like in {} "
                    "of {} intervals: nothing may run between calls",
                    format_duration_ns(worked_ahead_ns_.back()), often, intervals_seen_)};
  }
  if (2 * woke_late_ > intervals_seen_) {
    return ArmFault{FaultKind::kRefused, shape,
                    fmt::format("the kernel kept its process from being ready in time in {} of {} "
                                "intervals: nothing may run between calls",
                                woke_late_, intervals_seen_)};
  }
  return std::nullopt;
}

std::optional<ArmFault> ProcessArm::check_rest(int shape) {
  if (!is_suspect() || !has(Defence::kRest) || !asked_to_rest_) return std::nullopt;
  const std::size_t threads = process_.threads().size();
  if (threads < 2 || handover_->comes_to_rest()) return std::nullopt;
  return ArmFault{FaultKind::kRefused, shape,
                  fmt::format("a thread was still at work long after forge_launch had returned "
                              "({} of them were left besides the one that is called): threads may "
                              "wait between calls, but must sleep",
                              threads - 1)};
}

std::optional<ArmFault> ProcessArm::verify() {
  const int shape = prepared_.front().call.shape;
  if (auto fault = check_samples(shape)) return fault;
  if (auto fault = check_work_ahead(shape)) return fault;
  const auto shape_index = static_cast<std::size_t>(shape);
  bool right = true;
  for (const PreparedCall& call : prepared_) {
    const Slot& slot = plan_.slots[static_cast<std::size_t>(call.slot)];
    const Instance& instance = config_.contents->instance(shape_index, call.call.content);
    const Content& content = config_.contents->content(shape_index, call.call.content);
    if (auto fault = check_surroundings(slot_memory(), slot, instance, content, config_.defences)) {
      return fault;
    }
    if (!has(Defence::kEveryOutputVerified) && processes_ > 1) continue;
    const auto checked =
        config_.checker->check(shape_index, call.call.content, slot_memory().tensors(slot));
    if (!checked) return infrastructure(checked.error());
    right = right && *checked;
    ++calls_verified_;
  }
  if (right) return check_rest(shape);
  return ArmFault{FaultKind::kWrong, shape, "the outputs are wrong"};
}

ArmFault ProcessArm::explain(const HandoverOutcome& outcome, int shape) {
  if (const auto* failed = std::get_if<LaunchFailed>(&outcome)) {
    return {FaultKind::kLaunchError, shape,
            "forge_launch returned " + std::to_string(failed->result)};
  }
  if (std::holds_alternative<ActedEarly>(outcome)) {
    return {FaultKind::kRefused, shape,
            "the kernel wrote outputs before it was called: nothing may run between calls"};
  }
  const bool kernel_speaks = is_suspect() && handover_->admitted() && has(Defence::kGatedStart);
  if (const auto* stuck = std::get_if<NotReturned>(&outcome)) {
    if (!handover_->admitted()) {
      return {FaultKind::kInfrastructure, shape,
              "the runner had not loaded the kernel after " +
                  std::to_string(static_cast<int>(stuck->seconds)) + " s"};
    }
    const bool serving = shape >= 0;
    return {
        FaultKind::kTimeout, shape,
        std::string(serving ? "forge_launch had" : "static initialisers or forge_workspace had") +
            " not returned after " + std::to_string(static_cast<int>(stuck->seconds)) + " s"};
  }
  const auto* ended = std::get_if<ProcessEnded>(&outcome);
  FORGE_CHECK(ended != nullptr);
  return describe_process_end(ended->end, kernel_speaks ? Speaker::kKernel : Speaker::kRunner,
                              handover_->status(), plan_, *config_.signature, shape);
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
