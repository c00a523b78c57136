#include "target/cuda/replayer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "target/cuda/gpu_fake.h"
#include "target/cuda/plan_fixture.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kBytes = 4096;  // of x and of y, as example_plan() has them
constexpr std::uint64_t kMargin = 1024;
constexpr std::uint64_t kTensorRoom = kBytes + 2 * kMargin;
constexpr char kPoison = '\xff';

// x at the front of the slab, y behind it, both in canaries.
ReplaySetup one_entry() {
  ReplaySetup setup;
  setup.bytes = 2 * kTensorRoom;
  setup.shift = 512;
  setup.call_seconds = 5;
  setup.key = 7;
  ReplayEntry entry;
  entry.tensors = {
      {ReplayRole::kInput, kMargin, kBytes, 0, kTensorRoom},
      {ReplayRole::kOutput, kTensorRoom + kMargin, kBytes, kTensorRoom, 2 * kTensorRoom}};
  setup.entries = {entry};
  return setup;
}

DeviceAddress pointer_in(std::string_view parameters) {
  DeviceAddress address = 0;
  std::memcpy(&address, parameters.data(), sizeof address);
  return address;
}

class ReplayerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    host_.assign(2 * kTensorRoom, std::byte{0xff});
    std::memset(host_.data() + kMargin, 'x', kBytes);
    // The kernel fills y, whose address is its only parameter.
    gpu_.kernels["uses_all"] = [this](const GpuLaunch& launch) {
      y_ = pointer_in(launch.parameters);
      std::memset(gpu_.at(y_, kBytes), 'y', kBytes);
    };
    ASSERT_TRUE(replayer_.open("the rotation's code"));
  }

  static ReplayCode code() {
    auto read = read_replay_code(encode_plan(example_plan()), test_cubin_bytes("globals"));
    if (!read) invariant_failed(__FILE__, __LINE__, read.error().message());
    return std::move(*read);
  }

  Status begin() { return replayer_.begin_trial(one_entry(), code(), host_.data()); }
  Result<ReplayTimes> measure(std::size_t captures = 1, ReplayCache cache = ReplayCache::kCold) {
    FORGE_TRY_STATUS(begin());
    FORGE_TRY_STATUS(replayer_.prepare({0}, captures));
    std::vector<Replay> order;
    for (std::size_t i = 0; i < captures; ++i) order.push_back({0, i});
    gpu_.log.clear();
    return replayer_.measure(order, cache);
  }
  ReplayFault fault_of(const Status& status) {
    EXPECT_FALSE(status);
    return status ? ReplayFault{} : replayer_.explain(status.error());
  }
  ReplayFault fault_of(const Result<ReplayTimes>& times) {
    EXPECT_FALSE(times);
    return times ? ReplayFault{} : replayer_.explain(times.error());
  }
  std::string host(std::uint64_t offset, std::uint64_t bytes) const {
    return {reinterpret_cast<const char*>(host_.data()) + offset, bytes};
  }

  FakeClock clock_;
  FakeGpu gpu_{clock_};
  Replayer replayer_{gpu_, clock_};
  std::vector<std::byte> host_;
  DeviceAddress y_ = 0;
};

TEST_F(ReplayerTest, BringsInputsThereAndOutputsBack) {
  std::string x;
  gpu_.kernels["uses_all"] = [&](const GpuLaunch& launch) {
    y_ = pointer_in(launch.parameters);
    x = gpu_.bytes_at(y_ - kTensorRoom, kBytes);
    std::memset(gpu_.at(y_, kBytes), 'y', kBytes);
  };
  const auto times = measure();
  ASSERT_TRUE(times) << times.error().message();
  EXPECT_EQ(x, std::string(kBytes, 'x'));
  ASSERT_TRUE(replayer_.fetch());
  EXPECT_EQ(host(kTensorRoom + kMargin, kBytes), std::string(kBytes, 'y'));
  EXPECT_EQ(host(kTensorRoom, kMargin), std::string(kMargin, kPoison));
  EXPECT_EQ(host(kMargin, kBytes), std::string(kBytes, 'x'));
}

TEST_F(ReplayerTest, TimesEachReplayByEventsAroundIt) {
  gpu_.replay_ns = 12'345;
  const auto times = measure(3);
  ASSERT_TRUE(times);
  EXPECT_THAT(times->times_ns, ElementsAre(12'345, 12'345, 12'345));
  EXPECT_LE(times->host_within_ns, times->event_span_ns);
  EXPECT_LE(times->event_span_ns, times->host_around_ns);
}

// Poison first, since what it writes must be gone from the L2; lines that a kernel asked to keep
// before the rotation, which they would survive; nothing of the host's between the two events.
TEST_F(ReplayerTest, ColdReplaysComeAfterPoisonAResetAndARotation) {
  ASSERT_TRUE(measure(2));
  const auto between = gpu_.log_of_replay(1);
  const std::size_t rotated = static_cast<std::size_t>(
      std::find(between.begin(), between.end(), "launch forge_rotate") - between.begin());
  ASSERT_LT(rotated, between.size());
  EXPECT_THAT(std::vector(between.begin() + static_cast<std::ptrdiff_t>(rotated), between.end()),
              ElementsAre("launch forge_rotate", "launch forge_wait", "record"));
  EXPECT_EQ(between[rotated - 1], "forget");
  const auto fills =
      std::count(between.begin(), between.begin() + static_cast<std::ptrdiff_t>(rotated), "fill");
  EXPECT_EQ(fills, 2) << "y and the workspace";
}

TEST_F(ReplayerTest, WarmReplaysComeAfterOneThatIsNotTimed) {
  const auto times = measure(1, ReplayCache::kWarm);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->times_ns.size(), 1u);
  EXPECT_EQ(std::count(gpu_.log.begin(), gpu_.log.end(), "replay"), 2);
  const auto between = gpu_.log_of_replay(1);
  EXPECT_EQ(std::count(between.begin(), between.end(), "launch forge_rotate"), 0);
}

TEST_F(ReplayerTest, EveryReplayFindsOutputsPoisonedAndVariablesAtTheirImage) {
  std::vector<std::string> found_y;
  std::vector<std::string> found_variable;
  ASSERT_TRUE(begin());
  const GpuRange counter = *gpu_.symbol(GpuModule{}, "table");
  gpu_.kernels["uses_all"] = [&](const GpuLaunch& launch) {
    y_ = pointer_in(launch.parameters);
    // Behind the 80 bytes that the plan itself copies there.
    found_y.push_back(gpu_.bytes_at(y_ + 1024, 16));
    found_variable.push_back(gpu_.bytes_at(counter.address, 4));
    std::memset(gpu_.at(y_, kBytes), 'y', kBytes);
    std::memset(gpu_.at(counter.address, 4), 'c', 4);
  };
  const std::string initial = gpu_.bytes_at(counter.address, 4);
  ASSERT_TRUE(replayer_.prepare({0}, 2));
  ASSERT_TRUE(replayer_.measure({{0, 0}, {0, 1}}, ReplayCache::kCold));
  EXPECT_THAT(found_y, ElementsAre(std::string(16, kPoison), std::string(16, kPoison)));
  EXPECT_THAT(found_variable, ElementsAre(initial, initial));
}

TEST_F(ReplayerTest, InOutsBeginEachReplayAsTheHostHasThem) {
  std::vector<std::string> found;
  gpu_.kernels["uses_all"] = [&](const GpuLaunch& launch) {
    y_ = pointer_in(launch.parameters);
    found.push_back(gpu_.bytes_at(y_ + 1024, 4));
    std::memset(gpu_.at(y_, kBytes), 'y', kBytes);
  };
  ReplaySetup setup = one_entry();
  setup.entries[0].tensors[1].role = ReplayRole::kInOut;
  std::memset(host_.data() + kTensorRoom + kMargin, 's', kBytes);
  ASSERT_TRUE(replayer_.begin_trial(setup, code(), host_.data()));
  ASSERT_TRUE(replayer_.prepare({0}, 2));
  ASSERT_TRUE(replayer_.measure({{0, 0}, {0, 1}}, ReplayCache::kCold));
  EXPECT_THAT(found, ElementsAre("ssss", "ssss"));
}

TEST_F(ReplayerTest, WhatWasWrittenBesideABufferComesBackWithIt) {
  gpu_.kernels["uses_all"] = [this](const GpuLaunch& launch) {
    y_ = pointer_in(launch.parameters);
    std::memset(gpu_.at(y_, kBytes + 1), 'y', kBytes + 1);
  };
  ASSERT_TRUE(measure(2));
  ASSERT_TRUE(replayer_.fetch());
  EXPECT_EQ(host(kTensorRoom + kMargin + kBytes, 2), std::string("y") + kPoison);
}

TEST_F(ReplayerTest, WritingBesideTheWorkspaceIsRefused) {
  ASSERT_TRUE(begin());
  const DeviceAddress past = replayer_.workspace() + 512;
  gpu_.kernels["uses_all"] = [&](const GpuLaunch&) { *gpu_.at(past, 1) = std::byte{0}; };
  ASSERT_TRUE(replayer_.prepare({0}, 1));
  ASSERT_TRUE(replayer_.measure({{0, 0}}, ReplayCache::kCold));
  const ReplayFault fault = fault_of(replayer_.fetch());
  EXPECT_EQ(fault.kind, ReplayFaultKind::kRefused);
  EXPECT_THAT(fault.reason, HasSubstr("workspace"));
}

TEST_F(ReplayerTest, AChangedPatternIsRefused) {
  ASSERT_TRUE(measure());
  gpu_.tampered = true;
  EXPECT_EQ(fault_of(replayer_.fetch()).kind, ReplayFaultKind::kRefused);
}

TEST_F(ReplayerTest, AKernelThatNeverEndsTimesOut) {
  ASSERT_TRUE(begin());
  ASSERT_TRUE(replayer_.prepare({0}, 1));
  gpu_.never_ends = true;
  const ReplayFault fault = fault_of(replayer_.measure({{0, 0}}, ReplayCache::kCold));
  EXPECT_EQ(fault.kind, ReplayFaultKind::kTimeout);
  EXPECT_THAT(fault.reason, HasSubstr("5 s"));
}

TEST_F(ReplayerTest, ABrokenContextIsTheKernelsFaultOnlyWhereItRan) {
  ASSERT_TRUE(begin());
  ASSERT_TRUE(replayer_.prepare({0}, 1));
  gpu_.fails["reached"] = 700;
  const ReplayFault fault = fault_of(replayer_.measure({{0, 0}}, ReplayCache::kCold));
  EXPECT_EQ(fault.kind, ReplayFaultKind::kCrash);
  EXPECT_THAT(fault.reason, HasSubstr("700"));
}

TEST_F(ReplayerTest, BeforeAnythingRanItIsNobodysFault) {
  gpu_.fails["fill"] = 700;
  EXPECT_EQ(fault_of(begin()).kind, ReplayFaultKind::kInfrastructure);
}

TEST_F(ReplayerTest, AMemoryErrorOfTheDeviceIsNobodysFault) {
  ASSERT_TRUE(begin());
  ASSERT_TRUE(replayer_.prepare({0}, 1));
  gpu_.fails["reached"] = 214;
  EXPECT_EQ(fault_of(replayer_.measure({{0, 0}}, ReplayCache::kCold)).kind,
            ReplayFaultKind::kInfrastructure);
}

TEST_F(ReplayerTest, ALaunchThatTheDeviceCannotDoIsALaunchError) {
  ASSERT_TRUE(begin());
  gpu_.fails["launch"] = 701;
  EXPECT_EQ(fault_of(replayer_.prepare({0}, 1)).kind, ReplayFaultKind::kLaunchError);
}

TEST_F(ReplayerTest, CodeThatCannotBeLoadedIsALaunchError) {
  gpu_.fails["load"] = 209;
  EXPECT_EQ(fault_of(begin()).kind, ReplayFaultKind::kLaunchError);
}

TEST_F(ReplayerTest, EachCaptureIsAGraphOfItsOwnAndEndsWithTheTrial) {
  ASSERT_TRUE(measure(8));
  EXPECT_EQ(gpu_.live_graphs, 8);
  ASSERT_TRUE(replayer_.prepare({0}, 4));
  EXPECT_EQ(gpu_.live_graphs, 8) << "those that are there serve again";
  replayer_.end_trial();
  EXPECT_EQ(gpu_.live_graphs, 0);
  EXPECT_EQ(gpu_.log.back(), "unload");
}

TEST_F(ReplayerTest, NothingOfATrialIsLeftInTheNext) {
  ASSERT_TRUE(measure());
  ASSERT_TRUE(begin());
  EXPECT_EQ(gpu_.bytes_at(y_, kBytes), std::string(kBytes, kPoison));
}

TEST_F(ReplayerTest, NumbersOfNothingAreErrors) {
  EXPECT_FALSE(replayer_.prepare({0}, 1)) << "before a trial";
  ASSERT_TRUE(begin());
  EXPECT_FALSE(replayer_.prepare({1}, 1));
  ASSERT_TRUE(replayer_.prepare({0}, 1));
  EXPECT_FALSE(replayer_.measure({{1, 0}}, ReplayCache::kCold));
  EXPECT_FALSE(replayer_.measure({{0, 1}}, ReplayCache::kCold));
}

TEST_F(ReplayerTest, BuffersThatAreSmallerThanThePlansAreAnError) {
  ReplaySetup setup = one_entry();
  setup.entries[0].tensors[1].bytes = kBytes - 1;
  ASSERT_TRUE(replayer_.begin_trial(setup, code(), host_.data()));
  EXPECT_EQ(fault_of(replayer_.prepare({0}, 1)).kind, ReplayFaultKind::kInfrastructure);
}

TEST_F(ReplayerTest, APlanThatThisDeviceCannotRunIsRefused) {
  Plan plan = example_plan();
  auto& launch = std::get<PlanLaunch>(plan.variants[0].steps.back());
  launch.residency = PlanResidency::kCooperative;
  launch.grid = {132 * 2 + 1, 1, 1};
  auto cooperative = read_replay_code(encode_plan(plan), test_cubin_bytes("globals"));
  ASSERT_TRUE(cooperative);
  const ReplayFault fault =
      fault_of(replayer_.begin_trial(one_entry(), std::move(*cooperative), host_.data()));
  EXPECT_EQ(fault.kind, ReplayFaultKind::kRefused);
  EXPECT_THAT(fault.reason, HasSubstr("cooperative"));
}

TEST(ReplayCode, BelongsToOneCubin) {
  const std::string plan = encode_plan(example_plan());
  EXPECT_TRUE(read_replay_code(plan, test_cubin_bytes("globals")));
  EXPECT_FALSE(read_replay_code(plan, test_cubin_bytes("limits")));
  EXPECT_FALSE(read_replay_code(plan.substr(1), test_cubin_bytes("globals")));
}

TEST(GpuBlame, SparesKernelsWhatIsTheMachines) {
  for (const int code : {700, 710, 715, 716, 719})
    EXPECT_EQ(blame_of(code), GpuBlame::kKernel) << code;
  for (const int code : {1, 701, 720, 912}) EXPECT_EQ(blame_of(code), GpuBlame::kLaunch) << code;
  for (const int code : {2, 46, 100, 214, 220, 226, 304, 802, 999, 12345}) {
    EXPECT_EQ(blame_of(code), GpuBlame::kInfrastructure) << code;
  }
}

TEST(ReplaySetup, IsReadAsWritten) {
  const auto setup =
      read_replay_setup(R"({"bytes": 65536, "shift": 256, "key": 9, "call_seconds": 2.5,
    "entries": [{"variant": 3, "tensors": [
      {"role": "inout", "offset": 4096, "bytes": 100, "begin": 0, "end": 8192, "name": "x"}]}]})");
  ASSERT_TRUE(setup) << setup.error().message();
  EXPECT_EQ(setup->entries.at(0).variant, 3u);
  const ReplayTensor& tensor = setup->entries[0].tensors.at(0);
  EXPECT_EQ(tensor.role, ReplayRole::kInOut);
  EXPECT_EQ(tensor.offset, 4096u);
  EXPECT_EQ(setup->call_seconds, 2.5);
}

TEST(ReplaySetup, HoldsNothingOutsideTheSlab) {
  const auto with = [](const std::string& tensor, const std::string& shift = "0") {
    return read_replay_setup(R"({"bytes": 8192, "key": 0, "call_seconds": 1, "shift": )" + shift +
                             R"(, "entries": [{"variant": 0, "tensors": [)" + tensor + "]}]}");
  };
  EXPECT_TRUE(with(R"({"role": "in", "offset": 0, "bytes": 8192, "begin": 0, "end": 8192})"));
  for (const char* wrong :
       {R"({"role": "in", "offset": 0, "bytes": 8193, "begin": 0, "end": 8192})",
        R"({"role": "in", "offset": 0, "bytes": 1, "begin": 0, "end": 8193})",
        R"({"role": "in", "offset": 0, "bytes": 1, "begin": 256, "end": 8192})",
        R"({"role": "in", "offset": 128, "bytes": 1, "begin": 0, "end": 8192})",
        R"({"role": "to", "offset": 0, "bytes": 1, "begin": 0, "end": 8192})"}) {
    EXPECT_FALSE(with(wrong)) << wrong;
  }
  const char* fine = R"({"role": "in", "offset": 0, "bytes": 1, "begin": 0, "end": 8192})";
  EXPECT_FALSE(with(fine, "100"));
  EXPECT_FALSE(with(fine, "4194304"));
}

}  // namespace
}  // namespace forge
