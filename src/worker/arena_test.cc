#include "worker/arena.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "worker/setup_image.h"

namespace forge {
namespace {

Problem three_tensors() {
  Problem problem;
  problem.signature.dims = {"n"};
  const Expr n = *Expr::parse("n");
  for (const auto& [name, direction] :
       {std::pair{"x", Direction::kInput}, std::pair{"state", Direction::kInOut},
        std::pair{"y", Direction::kOutput}}) {
    TensorParam tensor;
    tensor.name = name;
    tensor.dtype = Dtype::kF32;
    tensor.direction = direction;
    tensor.shape = {n};
    problem.signature.tensors.push_back(std::move(tensor));
  }
  for (const auto& [name, size] : {std::pair{"small", 3}, std::pair{"large", 5000}}) {
    ShapeSpec shape;
    shape.name = name;
    shape.dims["n"] = size;
    shape.groups = {{"a", "first", {}, {}}, {"b", "second", {}, {}}};
    problem.shapes.push_back(std::move(shape));
  }
  return problem;
}

std::vector<ShapeInstances> instances_of(const Problem& problem) {
  std::vector<ShapeInstances> shapes;
  for (const ShapeSpec& shape : problem.shapes) {
    ShapeInstances groups;
    for (const InputGroup& group : shape.groups) {
      groups.push_back(*instantiate(problem, shape, group));
    }
    shapes.push_back(std::move(groups));
  }
  return shapes;
}

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};

TEST(Arena, BuffersAndGuardsNeverOverlapAndEveryBufferHasAGuardOnBothSides) {
  const Problem problem = three_tensors();
  const auto shapes = instances_of(problem);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const ArenaPlan plan = plan_arena(shapes, {3, 2}, random);
    ASSERT_EQ(plan.slots.size(), 5u);
    for (const runner::Region region : {runner::Region::kInputs, runner::Region::kOutputs}) {
      std::vector<Range> ranges;
      for (const Slot& slot : plan.slots) {
        for (const BufferPlace& place : slot.tensors) {
          if (place.region != region) continue;
          EXPECT_EQ(place.offset % 64, 0u);
          EXPECT_GE(place.offset, place.pages_begin);
          EXPECT_LE(place.offset + place.capacity, place.pages_end);
          ranges.push_back({place.pages_begin, place.pages_end});
        }
      }
      for (const runner::Guard& guard : plan.guards) {
        if (guard.region == region) ranges.push_back({guard.offset, guard.offset + guard.bytes});
      }
      std::sort(ranges.begin(), ranges.end(),
                [](const Range& a, const Range& b) { return a.begin < b.begin; });
      EXPECT_EQ(ranges.front().end - ranges.front().begin, runner::kPageBytes);
      EXPECT_EQ(ranges.back().end - ranges.back().begin, runner::kPageBytes);
      for (std::size_t i = 1; i < ranges.size(); ++i) {
        EXPECT_EQ(ranges[i].begin, ranges[i - 1].end) << "no gap, no overlap";
      }
    }
  }
}

TEST(Arena, InputsLieInTheReadOnlyRegionAndTheRestDoNot) {
  EXPECT_EQ(region_of(Direction::kInput), runner::Region::kInputs);
  EXPECT_EQ(region_of(Direction::kInOut), runner::Region::kOutputs);
  EXPECT_EQ(region_of(Direction::kOutput), runner::Region::kOutputs);
}

TEST(Arena, SizesDoNotDependOnTheRandomOrderButPlacesDo) {
  const Problem problem = three_tensors();
  const auto shapes = instances_of(problem);
  Random first(1);
  Random second(2);
  const ArenaPlan a = plan_arena(shapes, {4, 4}, first);
  const ArenaPlan b = plan_arena(shapes, {4, 4}, second);
  EXPECT_EQ(a.inputs_bytes, b.inputs_bytes);
  EXPECT_EQ(a.outputs_bytes, b.outputs_bytes);
  bool moved = false;
  for (std::size_t i = 0; i < a.slots.size(); ++i) {
    moved = moved || a.slots[i].tensors[0].offset != b.slots[i].tensors[0].offset;
  }
  EXPECT_TRUE(moved);
}

TEST(SetupImage, EntriesAreOneForEverySlotAndGroupWithARelocationForEachTensor) {
  const Problem problem = three_tensors();
  const auto shapes = instances_of(problem);
  Random random(5);
  const ArenaPlan plan = plan_arena(shapes, {2, 3}, random);
  const EntryIndex index(plan, shapes);
  EXPECT_EQ(index.count(), 10u);
  SetupRequest request;
  request.signature = &problem.signature;
  request.shapes = &shapes;
  request.plan = &plan;
  const std::vector<std::byte> bytes = runner_setup(request);
  const auto* header = reinterpret_cast<const runner::SetupHeader*>(bytes.data());
  EXPECT_EQ(header->magic, runner::kMagic);
  ASSERT_EQ(header->entries.count, 10u);
  EXPECT_EQ(header->relocations.count, 30u);
  const auto* entries =
      reinterpret_cast<const runner::ArgsEntry*>(bytes.data() + header->entries.offset);
  const auto* relocations =
      reinterpret_cast<const runner::Relocation*>(bytes.data() + header->relocations.offset);
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
    const runner::ArgsEntry& entry = entries[index.of(static_cast<int>(slot), 1)];
    EXPECT_EQ(entry.shape, static_cast<std::uint32_t>(plan.slots[slot].shape));
    for (std::size_t t = 0; t < 3; ++t) {
      const runner::Relocation& relocation = relocations[entry.first_relocation + t];
      EXPECT_EQ(relocation.region, plan.slots[slot].tensors[t].region);
      EXPECT_EQ(relocation.region_offset, plan.slots[slot].tensors[t].offset);
    }
  }
}

}  // namespace
}  // namespace forge
