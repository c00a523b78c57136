// Ways to fool the judge that show when a CUDA kernel is compiled, loaded or planned: each ends
// refused, with no timing. Honest kernels beside them are in plan_kernels_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/kernel_case.h"

namespace forge {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class CudaCheat : public testing::TestWithParam<KernelCase> {};

TEST_P(CudaCheat, IsCaught) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::string source =
      file_text(Path(FORGE_SOURCE_DIR) / "tests/cuda/cheats" / GetParam().file);
  const bool endless = std::string_view(GetParam().verdict) == "timeout";
  rig().limits.call_seconds = endless ? 0.1 : 5;
  rig().limits.compile_seconds = std::string_view(GetParam().file) == "compile_bomb.cu" ? 5 : 300;
  const auto outcome = rig().prepare(source, {Path(FORGE_SOURCE_DIR) / "tests/cuda/kernels"});
  ASSERT_TRUE(std::holds_alternative<CandidateOutcome>(outcome)) << "it was planned";
  const auto& what = std::get<CandidateOutcome>(outcome);
  EXPECT_EQ(verdict_name(what), GetParam().verdict) << explain(what);
  EXPECT_THAT(explain(what), HasSubstr(GetParam().words));
}

constexpr KernelCase kCheats[] = {
    {"ReadSecretByInclude", "read_secret_include.cu", "refused", "hostname"},
    {"ReadSecretByIncludeOnTheDevice", "read_secret_include_on_device.cu", "refused",
     "which lies outside"},
    {"ReadSecretByIncbin", "read_secret_incbin.cu", "refused", "passwd"},
    {"CompileBomb", "compile_bomb.cu", "refused", "the compiler"},
    {"DefineJudgeSymbols", "define_judge_symbols.cu", "refused", "no step names the output y"},
    {"SmuggledBinary", "smuggled_binary.cu", "refused", "cuModuleLoadData"},
    {"SmuggledBinaryRegistered", "smuggled_binary_registered.cu", "refused",
     "device code of its own"},
    {"SmuggledBinaryInASection", "smuggled_binary_in_section.cu", "refused",
     "container of device code"},
    {"StaticConstructor", "static_constructor.cu", "refused", "openat in its static initialisers"},
    {"EarlyExit", "early_exit.cu", "refused", "ended its process (exit code 0)"},
    {"EarlyExitOnLoad", "early_exit_on_load.cu", "refused", "in its static initialisers"},
    {"ForgeVerdict", "forge_verdict.cu", "refused", "write"},
    {"ReadAnswerFromDisk", "read_answer_from_disk.cu", "refused", "openat"},
    {"Network", "network.cu", "refused", "socket"},
    {"DetectPhaseByAddress", "detect_phase_by_address.cu", "refused",
     "depends on where the buffers lie"},
    {"DetectPhaseBySurroundings", "detect_phase_by_surroundings.cu", "refused",
     "differs between two processes"},
    {"NoWork", "no_work.cu", "refused", "no step names the output y"},
    {"PartialOutput", "partial_output.cu", "refused", "no step names the output w"},
    {"ModifyInput", "modify_input.cu", "refused", "writes to the input x"},
    {"OutOfBoundsPointer", "out_of_bounds_pointer.cu", "refused", "256 bytes before x"},
    {"OutOfBoundsCopy", "out_of_bounds_copy.cu", "refused", "reach beyond x"},
    {"ReadDeviceOnHost", "read_device_on_host.cu", "refused", "read from x (device memory)"},
    {"CallLibrary", "call_library.cu", "refused", "vendor libraries are not offered"},
    {"CallLibraryByName", "call_library_by_name.cu", "refused", "openat"},
    {"SideStream", "side_stream.cu", "refused", "cudaStreamCreateWithFlags"},
    {"StaleGraph", "stale_graph.cu", "refused", "cudaGraphLaunch"},
    {"PersistingCache", "persisting_cache.cu", "refused", "may not pin its data"},
    {"PersistingCacheLimit", "persisting_cache_limit.cu", "refused", "may not change the device"},
    {"NeverReturns", "never_returns.cu", "timeout", "had not returned"},
    {"WriteToRecording", "write_to_recording.cu", "refused", "the kernel wrote to it"},
    {"ManagedMemory", "managed_memory.cu", "refused", "managed memory is not offered"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, CudaCheat, testing::ValuesIn(kCheats), case_name);

// Diagnostics must not quote a file that the kernel may not read.
TEST(CudaCheats, FindNothingOfAForeignFileInDiagnostics) {
  if (const std::string missing = rig().missing(); !missing.empty()) GTEST_SKIP() << missing;
  const auto outcome = rig().prepare("#include \"forge_args.h\"\n#include \"/etc/passwd\"\n");
  ASSERT_TRUE(std::holds_alternative<CandidateOutcome>(outcome));
  EXPECT_THAT(explain(std::get<CandidateOutcome>(outcome)), Not(HasSubstr("root:")));
}

}  // namespace
}  // namespace forge
