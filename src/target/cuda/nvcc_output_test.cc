#include "target/cuda/nvcc_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/cpu/diagnostics.h"
#include "target/cuda/toolkit.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(NvccOutput, PlacesMessagesAsGccDoes) {
  EXPECT_EQ(like_gcc("kernel.cu(3): error: expected a \";\"\n"
                     "  int x\n"
                     "       ^\n"
                     "\n"
                     "1 error detected in the compilation of \"kernel.cu\".\n"),
            "kernel.cu:3: error: expected a \";\"\n"
            "      |   int x\n"
            "      |        ^\n");
  EXPECT_EQ(like_gcc("kernel.cu(5): warning #177-D: function \"f\" was declared\n"),
            "kernel.cu:5: warning: function \"f\" was declared\n");
  EXPECT_EQ(like_gcc("kernel.cu(5): catastrophic error: cannot open source file \"x.h\"\n"),
            "kernel.cu:5: error: cannot open source file \"x.h\"\n");
  EXPECT_EQ(like_gcc("ptxas ./kernel.ptx, line 24; error   : Unknown modifier '.bogus'\n"
                     "ptxas fatal   : Ptx assembly aborted due to errors\n"),
            "kernel.ptx:24: error: Unknown modifier '.bogus'\n"
            "ptxas: fatal error: Ptx assembly aborted due to errors\n");
}

TEST(NvccOutput, DropsStatistics) {
  EXPECT_EQ(like_gcc("ptxas info    : 16 bytes gmem\n"
                     "ptxas info    : Function properties for k\n"
                     "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                     "Remark: The warnings can be suppressed with \"-diag-suppress <n>\"\n"),
            "");
}

// A file that a kernel may not read must not be quoted because it is no C++.
TEST(NvccOutput, LetsQuotedLinesBeWithheldWithTheirMessage) {
  const std::string text = reduce_diagnostics(
      like_gcc("/secret/answers(1): error: this declaration has no storage class\n"
               "  forty-two\n"
               "  ^\n"
               "\n"
               "kernel.cu(3): error: expected a \";\"\n"
               "  int mine\n"),
      {"/home/me"}, 4096);
  EXPECT_THAT(text, HasSubstr("answers: text withheld"));
  EXPECT_THAT(text, Not(HasSubstr("forty-two")));
  EXPECT_THAT(text, HasSubstr("int mine"));
}

TEST(NvccOutput, ListsUndefinedReferencesOnce) {
  EXPECT_THAT(undefined_references("ld: k.o: in function `f':\n"
                                   "k.cpp:(.text+0x1): undefined reference to `cudaMalloc'\n"
                                   "k.cpp:(.text+0x9): undefined reference to `helper(int)'\n"
                                   "k.cpp:(.text+0x9): undefined reference to `cudaMalloc'\n"),
              ElementsAre("cudaMalloc", "helper(int)"));
}

TEST(NvccOutput, ReadsWhatPtxasSaysOfEachKernel) {
  const auto facts = parse_ptxas_facts(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z1aPf\n"
      "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 4000 bytes smem\n"
      "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z1bPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n");
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts.at("_Z1aPf"), (PtxasFacts{255, 16, 24, 32}));
  EXPECT_EQ(facts.at("_Z1bPf"), (PtxasFacts{8, 0, 0, 0}));
}

TEST(NvccOutput, ListsFilesThatWereEnteredNotThoseReturnedTo) {
  EXPECT_THAT(entered_files("# 1 \"kernel.cu\"\n"
                            "# 1 \"/usr/include/x.h\" 1 3 4\n"
                            "int x;\n"
                            "# 2 \"kernel.cu\" 2\n"
                            "# 1 \"/etc/passwd\" 1\n"
                            "# 1 \"/usr/include/x.h\" 1 3 4\n"),
              ElementsAre("/etc/passwd", "/usr/include/x.h"));
}

TEST(Toolkit, ReadsItsVersionAndItsFolders) {
  EXPECT_EQ(parse_nvcc_version("nvcc: NVIDIA (R) Cuda compiler driver\n"
                               "Cuda compilation tools, release 13.0, V13.0.88\n"),
            "nvcc 13.0.88");
  EXPECT_EQ(parse_nvcc_version("g++ (Debian) 12.2.0\n"), "");
  const auto folders = parse_nvcc_folders(
      "#$ TOP=/opt/cuda/bin/..\n"
      "#$ INCLUDES=\"-I/opt/cuda/bin/../include\"  \n"
      "#$ SYSTEM_INCLUDES=\"-isystem\" \"/opt/cuda/bin/../include/cccl\"  \n");
  ASSERT_TRUE(folders);
  EXPECT_EQ(folders->root, "/opt/cuda");
  EXPECT_THAT(folders->include_folders, ElementsAre("/opt/cuda/include", "/opt/cuda/include/cccl"));
  EXPECT_FALSE(parse_nvcc_folders("#$ TOP=/opt/cuda\n"));
}

}  // namespace
}  // namespace forge
