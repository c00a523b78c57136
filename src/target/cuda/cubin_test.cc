#include "target/cuda/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/cuda/plan_fixture.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const CubinKernel& kernel(const Cubin& cubin, std::string_view name) {
  const CubinKernel* found = cubin.find(name);
  FORGE_CHECK(found != nullptr);
  return *found;
}

TEST(Cubin, TellsItsArchitecture) { EXPECT_EQ(test_cubin("limits").sm, 90u); }

TEST(Cubin, ListsParametersInOrderWithTheirPlaces) {
  const Cubin cubin = test_cubin("limits");
  const CubinKernel& bounded = kernel(cubin, "bounded");
  EXPECT_THAT(bounded.parameters, ElementsAre(CubinParameter{0, 8}, CubinParameter{8, 1},
                                              CubinParameter{10, 2}, CubinParameter{12, 12}));
  EXPECT_EQ(bounded.parameter_bytes, 24u);
  EXPECT_EQ(bounded.parameter_base, 0x210u);
  EXPECT_TRUE(kernel(cubin, "nothing").parameters.empty());
  EXPECT_EQ(kernel(cubin, "nothing").parameter_bytes, 0u);
}

TEST(Cubin, ReadsParametersTooLargeForTheFirstFormOfTheirRecord) {
  const Cubin cubin = test_cubin("limits");
  EXPECT_THAT(kernel(cubin, "large").parameters,
              ElementsAre(CubinParameter{0, 20000}, CubinParameter{20000, 8}));
}

TEST(Cubin, ReadsWhatAKernelWasCompiledFor) {
  const Cubin cubin = test_cubin("limits");
  EXPECT_EQ(kernel(cubin, "bounded").max_threads, 128u);
  EXPECT_FALSE(kernel(cubin, "bounded").cluster);
  EXPECT_EQ(kernel(cubin, "clustered").cluster, (PlanExtent{4, 2, 1}));
  EXPECT_EQ(kernel(cubin, "few_clusters").max_cluster_blocks, 4u);
  EXPECT_EQ(kernel(cubin, "bounded").grid_unit, CubinKernel::GridUnit::kBlocks);
  EXPECT_EQ(kernel(cubin, "counted_in_clusters").required_block, (PlanExtent{64, 2, 1}));
  EXPECT_EQ(kernel(cubin, "counted_in_clusters").grid_unit, CubinKernel::GridUnit::kClusters);
}

// ptxas -v says of the same kernel: 24 registers, 4000 bytes smem, 8 bytes stack frame.
TEST(Cubin, CountsSharedMemoryWithoutWhatTheSystemKeeps) {
  const CubinKernel uses_all = kernel(test_cubin("globals"), "uses_all");
  EXPECT_EQ(uses_all.static_shared, 4000u);
  EXPECT_EQ(uses_all.registers, 24u);
  EXPECT_EQ(uses_all.stack_bytes, 8u);
  EXPECT_EQ(uses_all.barriers, 1u);
  EXPECT_THAT(uses_all.externs, ElementsAre("vprintf"));
  EXPECT_THAT(kernel(test_cubin("globals"), "allocates").externs, ElementsAre("malloc"));
}

TEST(Cubin, ListsAllModuleVariablesThoseOfFunctionsToo) {
  const Cubin cubin = test_cubin("globals");
  using Image = PlanSymbol::Image;
  EXPECT_THAT(
      cubin.symbols,
      ElementsAre(PlanSymbol{"zeros", PlanSection::kGlobal, 0, 400, Image::kFromCubin},
                  PlanSymbol{"to_seven", PlanSection::kGlobalInit, 0, 8, Image::kFromLoader},
                  PlanSymbol{"_ZZ8uses_allE5calls", PlanSection::kGlobalInit, 8, 4, {}},
                  PlanSymbol{"seven", PlanSection::kGlobalInit, 12, 4, Image::kFromCubin},
                  PlanSymbol{"$str", PlanSection::kGlobalInit, 16, 4, Image::kFromCubin},
                  PlanSymbol{"table", PlanSection::kConstant, 0, 12, Image::kFromCubin}));
}

TEST(Cubin, IsRefusedWhenCutUnlessOnlyTheLoadersTableIsMissing) {
  const std::string bytes = test_cubin_bytes("globals");
  const std::size_t loaders_table = bytes.size() - 1024;
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    const auto part = std::as_bytes(std::span(bytes)).first(size);
    const auto cubin = parse_cubin(part, "globals.cubin");
    if (size < loaders_table) {
      ASSERT_FALSE(cubin) << size;
      EXPECT_THAT(cubin.error().message(), HasSubstr("globals.cubin"));
    } else if (cubin) {
      EXPECT_EQ(cubin->symbols, test_cubin("globals").symbols);
    }
  }
}

TEST(Cubin, IsToldFromOtherFiles) {
  const std::string bytes = test_cubin_bytes("globals");
  EXPECT_TRUE(looks_like_cubin(std::as_bytes(std::span(bytes))));
  EXPECT_FALSE(looks_like_cubin(std::as_bytes(std::span(bytes)).subspan(1)));
  EXPECT_FALSE(looks_like_cubin({}));
}

}  // namespace
}  // namespace forge
