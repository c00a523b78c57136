#include "worker/device_setup.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "target/cuda/replay_setup.h"
#include "worker/device_arm.h"
#include "worker/setup_image.h"

namespace forge {
namespace {

// x: f32[n] -> y: f32[n], two shapes of two groups, 8 bytes an element moved.
Problem one_in_one_out() {
  Problem problem;
  problem.signature.dims = {"n"};
  const Expr n = *Expr::parse("n");
  for (const auto& [name, direction] :
       {std::pair{"x", Direction::kInput}, std::pair{"y", Direction::kOutput}}) {
    TensorParam tensor;
    tensor.name = name;
    tensor.dtype = Dtype::kF32;
    tensor.direction = direction;
    tensor.shape = {n};
    problem.signature.tensors.push_back(std::move(tensor));
  }
  for (const auto& [name, size] : {std::pair{"small", 100}, std::pair{"large", 20'000'000}}) {
    ShapeSpec shape;
    shape.name = name;
    shape.dims["n"] = size;
    shape.groups = {{"a", "first", {}, {}}, {"b", "second", {}, {}}};
    problem.shapes.push_back(std::move(shape));
  }
  problem.work.bytes = *Expr::parse("8*n");
  return problem;
}

TEST(DeviceSetup, SaysForEverySlotAndGroupWhatTheReplayerReads) {
  const Problem problem = one_in_one_out();
  const ProblemShapes shapes = *all_shapes(problem);
  Random random(1);
  const ArenaPlan plan = plan_arena(shapes.instances, {3, 1}, random, kDeviceArena);
  const Json json = device_setup({&shapes.instances, &plan, 512, 77, 3.0});
  const auto read = read_replay_setup(json.dump());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->bytes, slab_bytes(plan));
  EXPECT_EQ(read->shift, 512u);
  EXPECT_EQ(read->key, 77u);
  const EntryIndex entries(plan, shapes.instances);
  ASSERT_EQ(read->entries.size(), entries.count());
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
    const auto shape = static_cast<std::size_t>(plan.slots[slot].shape);
    for (int group = 0; group < 2; ++group) {
      const ReplayEntry& entry = read->entries[entries.of(static_cast<int>(slot), group)];
      EXPECT_EQ(entry.variant, shape * 2 + static_cast<std::size_t>(group));
      ASSERT_EQ(entry.tensors.size(), 2u);
      EXPECT_EQ(entry.tensors[0].role, ReplayRole::kInput);
      EXPECT_EQ(entry.tensors[1].role, ReplayRole::kOutput);
      EXPECT_EQ(entry.tensors[1].bytes, shape == 0 ? 400u : 80'000'000u);
    }
  }
}

TEST(DeviceSetup, EveryBufferHasItsMarginAndNoTwoShareMemory) {
  const Problem problem = one_in_one_out();
  const ProblemShapes shapes = *all_shapes(problem);
  Random random(2);
  const ArenaPlan plan = plan_arena(shapes.instances, {3, 1}, random, kDeviceArena);
  const auto read = read_replay_setup(device_setup({&shapes.instances, &plan, 0, 0, 1}).dump());
  ASSERT_TRUE(read) << read.error().message();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (std::size_t i = 0; i < read->entries.size(); i += 2) {  // groups share their slot's buffers
    for (const ReplayTensor& tensor : read->entries[i].tensors) {
      EXPECT_GE(tensor.offset - tensor.begin, kDeviceArena.margin);
      EXPECT_GE(tensor.end - tensor.offset - tensor.bytes, kDeviceArena.margin);
      ranges.emplace_back(tensor.begin, tensor.end);
    }
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    EXPECT_GE(ranges[i].first, ranges[i - 1].second);
  }
}

TEST(FloorNs, IsWhatTheMemoryNeedsLessWhatTheCacheMayKeep) {
  const Problem problem = one_in_one_out();
  const ProblemShapes shapes = *all_shapes(problem);
  const Instance& small = shapes.instances[0].front();
  const Instance& large = shapes.instances[1].front();
  GpuFacts device;
  device.profile.l2_bytes = 60'000'000;
  EXPECT_EQ(floor_ns(large, device), 0) << "of a device that says nothing of its memory";
  device.memory_bytes_per_ns = 5000;
  // 160 MB are moved, 60 of the 80 MB that are written may stay in the cache.
  EXPECT_DOUBLE_EQ(floor_ns(large, device), 20'000);
  EXPECT_DOUBLE_EQ(floor_ns(small, device), 400.0 / 5000);
}

}  // namespace
}  // namespace forge
