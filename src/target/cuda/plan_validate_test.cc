#include "target/cuda/plan_validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem/cuda_arch.h"
#include "target/cuda/plan_fixture.h"

namespace forge {
namespace {

using testing::HasSubstr;

class PlanValidate : public testing::Test {
 protected:
  // "" if the plan is valid for `device`.
  std::string fault(const Plan& checked) const {
    const PlanContext context{cubin, device,
                              [this](const CubinKernel&, const PlanLaunch&) { return resident; }};
    const auto found = validate_plan(checked, context);
    return found ? found->reason : "";
  }
  // The example, its last step launching `kernel` of limits.cubin.
  Plan limits_plan(const std::string& kernel) {
    cubin = test_cubin("limits");
    Plan made = example_plan();
    made.symbols = cubin.symbols;
    made.kernels = {kernel};
    made.variants[0].steps.erase(made.variants[0].steps.begin() + 1);
    launch(made).parameters.bytes.resize(cubin.find(kernel)->parameter_bytes);
    return made;
  }
  static PlanLaunch& launch(Plan& changed) {
    return std::get<PlanLaunch>(changed.variants[0].steps.back());
  }

  Cubin cubin = test_cubin("globals");
  DeviceProfile device = *assumed_device("sm_90a");
  std::optional<std::uint32_t> resident = 2;
  Plan plan = example_plan();
};

TEST_F(PlanValidate, AcceptsWhatFits) { EXPECT_EQ(fault(plan), ""); }

TEST_F(PlanValidate, WantsTheCubinAndTheDeviceItWasMadeFor) {
  plan.symbols.pop_back();
  EXPECT_THAT(fault(plan), HasSubstr("symbols are not those of the cubin"));
  plan = example_plan();
  plan.arch = "sm_80";
  EXPECT_THAT(fault(plan), HasSubstr("it is for sm_80"));
  plan.arch = "nonsense";
  EXPECT_THAT(fault(plan), HasSubstr("it is for nonsense"));
}

TEST_F(PlanValidate, HoldsEveryAddressInsideItsMemory) {
  launch(plan).parameters.relocations[0].target.offset = 4096;  // just behind the last byte
  EXPECT_EQ(fault(plan), "");
  launch(plan).parameters.relocations[0].target.offset = 4097;
  EXPECT_THAT(fault(plan), HasSubstr("beyond y (4096 bytes)"));
  launch(plan).parameters.relocations[0].target = {PlanSpace::kBuffer, 3, 0};
  EXPECT_THAT(fault(plan), HasSubstr("no buffer or symbol"));
  plan = example_plan();
  std::get<PlanMemset>(plan.variants[0].steps[0]).bytes = 513;
  EXPECT_THAT(fault(plan), HasSubstr("beyond workspace"));
  plan = example_plan();
  std::get<PlanCopy>(plan.variants[0].steps[2]).bytes = UINT64_MAX;
  EXPECT_THAT(fault(plan), HasSubstr("beyond x"));
  plan = example_plan();
  std::get<PlanWrite>(plan.variants[0].steps[1]).target.offset = 9;
  EXPECT_THAT(fault(plan), HasSubstr("beyond table"));
}

TEST_F(PlanValidate, LetsNobodyWriteToInputs) {
  std::get<PlanMemset>(plan.variants[0].steps[0]).target.index = 0;
  EXPECT_THAT(fault(plan), HasSubstr("writes to the input x"));
  plan = example_plan();
  std::get<PlanCopy>(plan.variants[0].steps[2]).target.index = 0;
  EXPECT_THAT(fault(plan), HasSubstr("writes to the input x"));
}

TEST_F(PlanValidate, WantsEveryOutputNamed) {
  launch(plan).parameters.relocations[0].target.index = 2;
  std::get<PlanCopy>(plan.variants[0].steps[2]).target.index = 2;
  EXPECT_THAT(fault(plan), HasSubstr("no step names the output y"));
  plan.variants[0].buffers[1].bytes = 0;
  EXPECT_EQ(fault(plan), "");
}

TEST_F(PlanValidate, ComparesParametersWithTheCubins) {
  launch(plan).parameters.bytes += '\0';
  EXPECT_THAT(fault(plan), HasSubstr("9 bytes of parameters, the kernel takes 8"));
  Plan split = limits_plan("bounded");
  EXPECT_EQ(fault(split), "");
  launch(split).parameters.relocations[0].position = 4;
  EXPECT_THAT(fault(split), HasSubstr("crosses parameters"));
}

TEST_F(PlanValidate, KeepsGridAndBlockWithinTheDevice) {
  launch(plan).grid = {1, 65536, 1};
  EXPECT_THAT(fault(plan), HasSubstr("grid 1 x 65536 x 1"));
  launch(plan).grid = {0, 1, 1};
  EXPECT_THAT(fault(plan), HasSubstr("is empty"));
  launch(plan).grid = {1, 1, 1};
  launch(plan).block = {512, 2, 2};
  EXPECT_THAT(fault(plan), HasSubstr("beyond 1024 threads"));
  launch(plan).block = {0x80000000u, 2, 0x80000000u};
  EXPECT_THAT(fault(plan), HasSubstr("beyond 1024 threads"));
}

TEST_F(PlanValidate, KeepsToWhatAKernelWasCompiledFor) {
  Plan bounded = limits_plan("bounded");
  launch(bounded).block = {129, 1, 1};
  EXPECT_THAT(fault(bounded), HasSubstr("launch bounds allow (128)"));
  Plan counted = limits_plan("counted_in_clusters");
  EXPECT_THAT(fault(counted), HasSubstr("compiled for (64 x 2 x 1)"));
  launch(counted).block = {64, 2, 1};
  EXPECT_THAT(fault(counted), HasSubstr("counts clusters"));
}

TEST_F(PlanValidate, ChecksClusters) {
  Plan clustered = limits_plan("clustered");
  EXPECT_THAT(fault(clustered), HasSubstr("no multiple of its cluster 4 x 2 x 1"));
  launch(clustered).grid = {8, 2, 1};
  EXPECT_EQ(fault(clustered), "");
  launch(clustered).cluster = {2, 1, 1};
  EXPECT_THAT(fault(clustered), HasSubstr("compiled for (4 x 2 x 1)"));
  launch(plan).cluster = {4, 1, 1};
  cubin = test_cubin("globals");
  EXPECT_EQ(fault(plan), "");
  launch(plan).grid = launch(plan).cluster = {17, 1, 1};
  EXPECT_THAT(fault(plan), HasSubstr("beyond 16 blocks"));
  Plan few = limits_plan("few_clusters");
  launch(few).grid = launch(few).cluster = {5, 1, 1};
  EXPECT_THAT(fault(few), HasSubstr("beyond 4 blocks"));
  launch(few).cluster = kNoCluster;
  launch(few).cluster_policy = PlanClusterPolicy::kSpread;
  EXPECT_THAT(fault(few), HasSubstr("no cluster"));
}

TEST_F(PlanValidate, CountsSharedMemoryAndRegisters) {
  launch(plan).dynamic_shared = device.shared_per_block_optin - 4000;
  EXPECT_EQ(fault(plan), "");
  launch(plan).dynamic_shared += 1;
  EXPECT_THAT(fault(plan), HasSubstr("bytes of shared memory"));
  launch(plan).dynamic_shared = 0;
  cubin.kernels.back().registers = 255;
  launch(plan).block = {512, 1, 1};
  EXPECT_THAT(fault(plan), HasSubstr("registers"));
  launch(plan).block = {256, 1, 1};
  EXPECT_EQ(fault(plan), "");
}

TEST_F(PlanValidate, HoldsACooperativeGridOnTheDeviceAtOnce) {
  launch(plan).residency = PlanResidency::kCooperative;
  launch(plan).grid = {2 * device.multiprocessors, 1, 1};
  EXPECT_EQ(fault(plan), "");
  launch(plan).grid.x += 1;
  EXPECT_THAT(fault(plan), HasSubstr("does not fit NVIDIA H200 at once (264 blocks)"));
  resident = std::nullopt;
  EXPECT_THAT(fault(plan), HasSubstr("nobody could say"));
}

TEST_F(PlanValidate, RefusesMemoryThatOutlivesACall) {
  plan.kernels = {"allocates"};
  EXPECT_THAT(fault(plan), HasSubstr("use the workspace"));
}

TEST_F(PlanValidate, ChecksTensorMaps) {
  const auto with = [](auto change) {
    Plan changed = example_plan();
    changed.variants[0].tensor_maps = {example_map(0)};
    change(changed.variants[0].tensor_maps[0]);
    return changed;
  };
  EXPECT_EQ(fault(with([](PlanTensorMap&) {})), "");
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.sizes = {}; })), HasSubstr("lengths"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.box = {32}; })), HasSubstr("lengths"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.kind = PlanMapKind::kIm2col; })),
              HasSubstr("rank is out of range"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.base.offset = 8; })), HasSubstr("16 bytes"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.strides = {120}; })),
              HasSubstr("multiple of 16"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.box = {257, 1}; })), HasSubstr("above 256"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.box = {64, 8}; })),
              HasSubstr("wider than the swizzle"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.sizes = {32, 33}; })), HasSubstr("beyond x"));
  EXPECT_THAT(fault(with([](PlanTensorMap& m) { m.base.space = PlanSpace::kSymbol; })),
              HasSubstr("no buffer"));
  device = *assumed_device("sm_80");
  Plan old = with([](PlanTensorMap&) {});
  old.arch = "sm_80";
  cubin.sm = 80;
  EXPECT_THAT(fault(old), HasSubstr("has no tensor maps"));
}

TEST(ReadableKernelName, LeavesOutTypesAndHashes) {
  EXPECT_EQ(readable_kernel_name("_ZN36_GLOBAL__N__d8a9f71b_5_an_cu__Z2fsPf4anonEPf"), "anon");
  EXPECT_EQ(readable_kernel_name("_Z2tkILi3EEvPf"), "tk<3>");
  EXPECT_EQ(readable_kernel_name("plain"), "plain");
}

TEST(CudaArch, HasTheNamesThatNvccTakes) {
  EXPECT_TRUE(is_cuda_arch("sm_90a"));
  EXPECT_TRUE(is_cuda_arch("sm_100"));
  EXPECT_FALSE(is_cuda_arch("sm_9"));
  EXPECT_FALSE(is_cuda_arch("sm_90ax"));
  EXPECT_FALSE(is_cuda_arch("compute_90"));
  EXPECT_EQ(virtual_cuda_arch("sm_90a"), "compute_90a");
}

TEST(DeviceProfile, IsKnownForSomeArchitectures) {
  EXPECT_EQ(assumed_device("sm_90a")->sm(), 90u);
  EXPECT_EQ(assumed_device("sm_100a")->sm(), 100u);
  EXPECT_FALSE(assumed_device("sm_70"));
}

}  // namespace
}  // namespace forge
