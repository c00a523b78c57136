#include "worker/arena.h"

#include <algorithm>

namespace forge {
namespace {

constexpr std::uint64_t kPage = runner::kPageBytes;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint64_t capacity_of(const ShapeInstances& groups, std::size_t tensor) {
  std::uint64_t bytes = 0;
  for (const Instance& instance : groups) {
    if (instance.tensors[tensor].present) {
      bytes = std::max<std::uint64_t>(bytes, instance.tensors[tensor].layout.span_bytes());
    }
  }
  return bytes;
}

// Hands out pages of one region, a guard page before each buffer and one at the very end.
class RegionCursor {
 public:
  RegionCursor(runner::Region region, const ArenaStyle& style) : region_(region), style_(style) {}

  BufferPlace place(std::uint64_t capacity, bool at_page_end, ArenaPlan& plan) {
    add_guard(plan);
    BufferPlace place;
    place.region = region_;
    place.capacity = capacity;
    place.pages_begin = end_;
    const std::uint64_t pages = round_up(std::max<std::uint64_t>(capacity, 1), kPage);
    place.pages_end = end_ + pages + 2 * style_.margin;
    place.offset = at_page_end
                       ? place.pages_end - style_.margin - round_up(capacity, style_.alignment)
                       : end_ + style_.margin;
    end_ = place.pages_end;
    return place;
  }

  std::uint64_t finish(ArenaPlan& plan) {
    if (end_ != 0) add_guard(plan);
    return end_;
  }

 private:
  void add_guard(ArenaPlan& plan) {
    plan.guards.push_back({region_, 0, end_, kPage});
    end_ += kPage;
  }

  runner::Region region_;
  ArenaStyle style_;
  std::uint64_t end_ = 0;
};

}  // namespace

runner::Region region_of(Direction direction) {
  return direction == Direction::kInput ? runner::Region::kInputs : runner::Region::kOutputs;
}

ArenaPlan plan_arena(const std::vector<ShapeInstances>& shapes,
                     const std::vector<int>& slots_per_shape, Random& random,
                     const ArenaStyle& style) {
  FORGE_CHECK(style.margin % kPage == 0);
  FORGE_CHECK(shapes.size() == slots_per_shape.size());
  ArenaPlan plan;
  plan.by_shape.resize(shapes.size());
  for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
    for (int i = 0; i < slots_per_shape[shape]; ++i) {
      plan.by_shape[shape].push_back(static_cast<int>(plan.slots.size()));
      plan.slots.push_back({static_cast<int>(shape), {}});
    }
  }
  std::vector<std::size_t> order(plan.slots.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(order);
  RegionCursor inputs(runner::Region::kInputs, style);
  RegionCursor outputs(runner::Region::kOutputs, style);
  for (const std::size_t number : order) {
    Slot& slot = plan.slots[number];
    const ShapeInstances& groups = shapes[static_cast<std::size_t>(slot.shape)];
    for (std::size_t t = 0; t < groups.front().tensors.size(); ++t) {
      const bool input = groups.front().tensors[t].param->direction == Direction::kInput;
      slot.tensors.push_back(
          (input ? inputs : outputs).place(capacity_of(groups, t), random.below(2) == 1, plan));
    }
  }
  plan.inputs_bytes = inputs.finish(plan);
  plan.outputs_bytes = outputs.finish(plan);
  return plan;
}

}  // namespace forge
