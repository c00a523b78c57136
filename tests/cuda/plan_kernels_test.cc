// CUDA kernels as people write them, compiled by nvcc and planned with no GPU; beside each a
// variant that is refused. Where there is no nvcc they are skipped, and say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/cutlass_headers.h"
#include "cuda/kernel_case.h"
#include "target/cuda/inspection.h"
#include "target/cuda/plan_codec.h"
#include "target/cuda/plan_text.h"

namespace forge {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

Path kernels_folder() { return Path(FORGE_SOURCE_DIR) / "tests/cuda/kernels"; }

std::string explain_plan(const CudaKernel& kernel) {
  const auto kernels =
      inspect_kernels({kernel.planned.plan, kernel.planned.cubin, kernel.device,
                       kernel.artefact.ptxas, kernel.planned.occupancy, std::nullopt});
  return plan_text(kernel.planned.plan, kernels, kernel.device);
}

void expect_case(const KernelCase& expected, const CudaOutcome& outcome) {
  const auto* kernel = std::get_if<CudaKernel>(&outcome);
  if (kernel == nullptr) {
    const auto& what = std::get<CandidateOutcome>(outcome);
    EXPECT_EQ(verdict_name(what), expected.verdict) << explain(what);
    EXPECT_THAT(explain(what), HasSubstr(expected.words));
    return;
  }
  const std::string text = explain_plan(*kernel);
  EXPECT_STREQ(expected.verdict, "planned") << text;
  EXPECT_THAT(text, HasSubstr(expected.words));
  const auto decoded = decode_plan(kernel->planned.encoded, "plan");
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(*decoded, kernel->planned.plan);
}

class PlanKernel : public testing::TestWithParam<KernelCase> {};

TEST_P(PlanKernel, EndsAsItShould) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::string source = file_text(Path(FORGE_SOURCE_DIR) / "tests/cuda" / GetParam().file);
  expect_case(GetParam(), rig().prepare(source, {kernels_folder()}));
}

constexpr KernelCase kCases[] = {
    {"Templates", "kernels/templates.cu", "planned", "copy<128, float><<<64, 128>>>(x, y"},
    {"LaunchOnTheDefaultStream", "kernels/templates_default_stream.cu", "refused",
     "another stream than forge_launch"},
    {"SeveralKernelsThroughTheWorkspace", "kernels/several_kernels.cu", "planned",
     "copy workspace+65536 to y, 64.0 KiB"},
    {"LaunchesThatDependOnTheNumberOfCalls", "kernels/several_kernels_counting.cu", "refused",
     "the number of its launches differs between two calls"},
    {"DynamicSharedMemoryAbove48KiB", "kernels/dynamic_shared.cu", "planned",
     "through_shared<<<1, 1024, 65536 B>>>(x, y"},
    {"MoreSharedMemoryThanThereIs", "kernels/dynamic_shared_too_much.cu", "refused",
     "no step names the output y"},
    {"DynamicSharedMemoryWithoutAsking", "kernels/dynamic_shared_without_asking.cu", "launch_error",
     "forge_launch returned 1"},
    {"ConstantAndDeviceVariables", "kernels/module_variables.cu", "planned",
     "write 32 bytes to task: x, y, "},
    {"DeviceVariablesReadOnTheHost", "kernels/module_variables_read_back.cu", "refused",
     "device data can't be read on the host"},
    {"AnonymousStaticAndLambdaKernels", "kernels/hidden_kernels.cu", "planned",
     "anonymous<<<64, 256>>>(x, y"},
    {"LambdaThatCapturesTheTime", "kernels/hidden_kernels_clock.cu", "refused",
     "differs between two calls with the same arguments"},
    {"ClustersCompiledInAndAtTheLaunch", "kernels/clusters.cu", "planned", "cluster 16"},
    {"ClustersThatDoNotDivideTheGrid", "kernels/clusters_that_do_not_divide.cu", "refused",
     "no multiple of its cluster"},
    {"CooperativeGrid", "kernels/cooperative.cu", "planned", "two_phases<<<1056, 256>>>"},
    {"CooperativeGridThatDoesNotFit", "kernels/cooperative_too_large.cu", "refused",
     "does not fit NVIDIA H200 at once (1056 blocks)"},
    {"TensorMapsOfEveryRank", "kernels/tensor_maps.cu", "planned",
     "tiles of x, type 7, sizes 16x4x16x4x4 (innermost first), box 8x2x2x2x2, swizzle 1"},
    {"TensorMapBeyondItsBuffer", "kernels/tensor_maps_beyond.cu", "refused", "reach beyond x"},
    {"TensorMapInParts", "kernels/tensor_maps_in_parts.cu", "refused", "a part of a tensor map"},
    {"ProgrammaticLaunch", "kernels/programmatic.cu", "planned", "overlaps the launch before"},
    {"ProgrammaticEvent", "kernels/programmatic_event.cu", "refused", "has attribute 7"},
    {"LargeParametersWithPaddingAndPointers", "kernels/large_parameters.cu", "planned",
     "by_value<<<64, 256>>>("},
    {"PackedPointers", "kernels/large_parameters_packed.cu", "refused",
     "depends on where the buffers lie"},
    {"EmptyGridForAnEmptyShape", "kernels/empty_grid.cu", "launch_error",
     "on shape 'empty': forge_launch returned 9"},
    {"PrintfAndAssert", "kernels/printing.cu", "planned", "careful<<<64, 256>>>(x, y"},
    {"MallocOnTheDevice", "kernels/allocating.cu", "refused", "use the workspace"},
    {"CubBlockPrimitives", "kernels/cub_block.cu", "planned", "block_sums<<<64, 256>>>"},
    {"CubDevicePrimitives", "kernels/cub_device.cu", "planned", "scratch workspace"},
    {"CubDevicePrimitivesThatAllocate", "kernels/cub_device_allocating.cu", "refused",
     "cudaMalloc (define forge_workspace"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, PlanKernel, testing::ValuesIn(kCases), case_name);

class PlanCutlassKernel : public testing::TestWithParam<KernelCase> {};

// CUTLASS's headers are no part of a toolkit; CI gets them from the Python package registry.
TEST_P(PlanCutlassKernel, EndsAsItShould) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const auto headers = cutlass_headers();
  if (!headers) GTEST_SKIP() << kNoCutlass;
  const std::string source = file_text(Path(FORGE_SOURCE_DIR) / "tests/cuda" / GetParam().file);
  expect_case(GetParam(), rig().prepare(source, {kernels_folder(), *headers,
                                                 *headers / "../tools/util/include"}));
}

constexpr KernelCase kCutlassCases[] = {
    {"Sm90Gemm", "kernels/cutlass_gemm.cu", "planned", "tiles of"},
    {"Sm90GemmThatAllocates", "kernels/cutlass_gemm_allocating.cu", "refused", "cudaMalloc"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, PlanCutlassKernel, testing::ValuesIn(kCutlassCases), case_name);

// The same source in another place, compiled anew, gives the same bytes and the same plan.
TEST(PlanKernels, AreTheSameBytesEachTime) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::string source = file_text(kernels_folder() / "hidden_kernels.cu");
  const auto first = rig().prepare(source, {kernels_folder()});
  ASSERT_TRUE(std::holds_alternative<CudaKernel>(first));
  const auto& kernel = std::get<CudaKernel>(first);
  std::filesystem::remove_all(kernel.artefact.shared_object.parent_path());
  CudaRig other(Path(FORGE_SOURCE_DIR) / "tests/tasks/plan_cuda");
  const auto second = other.prepare(source, {kernels_folder()});
  ASSERT_TRUE(std::holds_alternative<CudaKernel>(second));
  const auto& again = std::get<CudaKernel>(second);
  EXPECT_EQ(again.artefact.object_digest, kernel.artefact.object_digest);
  EXPECT_EQ(again.artefact.cubin_digest, kernel.artefact.cubin_digest);
  EXPECT_EQ(again.planned.encoded, kernel.planned.encoded);
}

// What is read from cubins was found by experiment: it must hold for the nvcc that is here.
TEST(PlanKernels, AreReadFromCubinsAsPtxasDescribesThem) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const auto outcome =
      rig().prepare(file_text(kernels_folder() / "cub_device.cu"), {kernels_folder()});
  ASSERT_TRUE(std::holds_alternative<CudaKernel>(outcome));
  const auto& kernel = std::get<CudaKernel>(outcome);
  ASSERT_FALSE(kernel.artefact.ptxas.empty());
  for (const auto& [name, facts] : kernel.artefact.ptxas) {
    const CubinKernel* code = kernel.planned.cubin.find(name);
    ASSERT_NE(code, nullptr) << name;
    EXPECT_EQ(code->registers, facts.registers) << name;
    EXPECT_EQ(code->stack_bytes, facts.stack_bytes) << name;
  }
  EXPECT_EQ(kernel.planned.cubin.sm, 90u);
}

TEST(PlanKernels, HaveDiagnosticsThatReadLikeTheCompilers) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const auto outcome = rig().prepare(
      "#include \"forge_args.h\"\n"
      "__global__ void k(float* y) { y[0] = undeclared; }\n"
      "int forge_launch(const Args*, void*) { return 0; }\n");
  ASSERT_TRUE(std::holds_alternative<CandidateOutcome>(outcome));
  const auto* error = std::get_if<CompileError>(&std::get<CandidateOutcome>(outcome));
  ASSERT_NE(error, nullptr);
  EXPECT_THAT(error->log, HasSubstr("kernel.cu:2: error: identifier \"undeclared\" is undefined"));
  const auto assembler = rig().prepare(
      "#include \"forge_args.h\"\n"
      "__global__ void k(float* y) { asm volatile(\"no.such.instruction;\"); }\n"
      "int forge_launch(const Args*, void*) { return 0; }\n");
  error = std::get_if<CompileError>(&std::get<CandidateOutcome>(assembler));
  ASSERT_NE(error, nullptr);
  EXPECT_THAT(error->log, ContainsRegex("kernel.ptx:[0-9]+: error: "));
}

}  // namespace
}  // namespace forge
