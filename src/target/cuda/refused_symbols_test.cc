#include "target/cuda/refused_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::vector<std::string>& undefined) {
  return refuse_undefined(undefined).value_or("");
}

TEST(RefusedSymbols, NameEachFunctionAndWhatToUseInstead) {
  EXPECT_THAT(refusal({"cudaMalloc"}), AllOf(HasSubstr("cudaMalloc ("), HasSubstr("workspace")));
  EXPECT_THAT(refusal({"cudaMallocManaged"}), HasSubstr("managed"));
  EXPECT_THAT(refusal({"cudaStreamCreate"}), HasSubstr("`stream`"));
  EXPECT_THAT(refusal({"cudaEventRecord"}), HasSubstr("events"));
  EXPECT_THAT(refusal({"cublasSgemm_v2"}), HasSubstr("vendor"));
  EXPECT_THAT(refusal({"cudaGetParameterBufferV2"}), HasSubstr("launch from the host"));
  EXPECT_THAT(refusal({"cuModuleLoadData"}), HasSubstr("source only"));
  EXPECT_THAT(refusal({"__cudaRegisterManagedVar"}), HasSubstr("__device__"));
  EXPECT_THAT(refusal({"cuLaunchKernel"}), HasSubstr("runtime API"));
}

TEST(RefusedSymbols, LeaveOtherNamesToTheCompilersMessages) {
  EXPECT_EQ(refusal({"helper", "_ZN7cutlass4GemmEv", "cute_layout", "custom"}), "");
  EXPECT_THAT(refusal({"helper", "ncclAllReduce"}),
              AllOf(HasSubstr("nccl"), Not(HasSubstr("helper"))));
}

TEST(RefusedSymbols, AreCountedWhenTheyAreMany) {
  std::vector<std::string> many;
  for (int i = 0; i < 9; ++i) many.push_back("cudaX" + std::to_string(i));
  EXPECT_THAT(refusal(many), HasSubstr("and 3 more"));
}

TEST(RefusedSymbols, AreToldByTheirPrefixes) {
  for (const char* name : {"cudaFoo", "cuFoo", "cublasFoo", "cudnnFoo", "ncclFoo", "__cudaFoo"}) {
    EXPECT_TRUE(is_cuda_name(name)) << name;
    EXPECT_NE(refusal({name}), "") << name;
  }
  EXPECT_FALSE(is_cuda_name("cu"));
  EXPECT_FALSE(is_cuda_name("curl_easy_init"));
}

}  // namespace
}  // namespace forge
