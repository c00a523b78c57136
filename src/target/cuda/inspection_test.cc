#include "target/cuda/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/cuda/plan_fixture.h"
#include "target/cuda/plan_text.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kListing =
    "\t.section\t.text.uses_all,\"ax\",@progbits\n"
    "uses_all:\n"
    ".text.uses_all:\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    "        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;\n"
    "        /*0020*/                   LDG.E R2, desc[UR36][R2.64] ;\n"
    "        /*0030*/                   STG.E.U8 desc[UR4][R2.64], R5 ;\n"
    "        /*0040*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24 ;\n"
    "        /*0050*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
    "        /*0060*/                   LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;\n"
    "        /*0070*/                   FFMA R0, R1, R2, R3 ;\n"
    "        /*0080*/                   ATOMG.E.ADD.STRONG.GPU PT, R0, desc[UR4][R2.64], R3 ;\n"
    ".L_x_0:\n"
    "        /*0090*/                   FFMA R0, R1, R2, R3 ;\n";

TEST(Sass, SortsInstructionsByClass) {
  EXPECT_EQ(sass_class("HGMMA.64x8x16.F32"), "HGMMA");
  EXPECT_EQ(sass_class("LDG.E.64"), "LDG.64");
  EXPECT_EQ(sass_class("LDG.E"), "LDG.32");
  EXPECT_EQ(sass_class("STG.E.U16"), "STG.16");
  EXPECT_EQ(sass_class("UTMALDG.2D"), "UTMALDG");
  EXPECT_EQ(sass_class("REDG.E.ADD.F32"), "RED");
  EXPECT_EQ(sass_class("IMAD.MOV"), "");
}

TEST(Sass, CountsByKernelAndNamesClassesThatDoNotOccur) {
  const auto counts = count_sass(kListing);
  ASSERT_TRUE(counts.contains("uses_all"));
  const SassCounts& uses_all = counts.at("uses_all");
  EXPECT_EQ(uses_all.at("LDG.128"), 1u);
  EXPECT_EQ(uses_all.at("LDG.32"), 1u);
  EXPECT_EQ(uses_all.at("STG.8"), 1u);
  EXPECT_EQ(uses_all.at("HGMMA"), 1u);
  EXPECT_EQ(uses_all.at("BAR"), 1u);
  EXPECT_EQ(uses_all.at("LDGSTS"), 1u);
  EXPECT_EQ(uses_all.at("ATOM"), 1u);
  EXPECT_EQ(uses_all.at("FFMA"), 2u);
  EXPECT_EQ(uses_all.at("QGMMA"), 0u);
}

class Inspection : public testing::Test {
 protected:
  std::vector<KernelInspection> inspect() {
    return inspect_kernels({plan, cubin, device, ptxas, occupancy, sass});
  }
  Plan plan = example_plan();
  Cubin cubin = test_cubin("globals");
  DeviceProfile device = *assumed_device("sm_90a");
  std::map<std::string, PtxasFacts> ptxas = {{"uses_all", {24, 8, 16, 20}}};
  OccupancyTable occupancy = {{{"uses_all", 128, 0}, 8}};
  std::optional<std::map<std::string, SassCounts>> sass = count_sass(kListing);
};

TEST_F(Inspection, PutsTogetherWhatCubinPtxasAndOccupancySay) {
  const auto kernels = inspect();
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].readable, "uses_all");
  EXPECT_EQ(kernels[0].code.registers, 24u);
  ASSERT_EQ(kernels[0].launches.size(), 1u);
  EXPECT_EQ(kernels[0].launches[0].blocks, 8u);
  EXPECT_DOUBLE_EQ(kernels[0].launches[0].occupancy, 0.5);
}

TEST_F(Inspection, MakesMetricsForGates) {
  const auto metrics = mechanism_metrics(inspect());
  EXPECT_EQ(metrics.at("registers"), 24);
  EXPECT_EQ(metrics.at("spill_bytes"), 36);
  EXPECT_EQ(metrics.at("static_shared_bytes"), 4000);
  EXPECT_EQ(metrics.at("occupancy"), 0.5);
  EXPECT_EQ(metrics.at("sass.HGMMA"), 1);
  EXPECT_EQ(metrics.at("sass.QGMMA"), 0);
}

// A gate on instructions must not pass or fail where nobody counted them.
TEST_F(Inspection, HasNoInstructionMetricsWithoutADisassembler) {
  sass.reset();
  EXPECT_FALSE(mechanism_metrics(inspect()).contains("sass.HGMMA"));
  const std::string text = plan_text(plan, inspect(), device);
  EXPECT_THAT(text, HasSubstr("there is no nvdisasm here"));
}

TEST_F(Inspection, ReadsAsAPersonWould) {
  const std::string text = plan_text(plan, inspect(), device);
  EXPECT_THAT(text, HasSubstr("NVIDIA H200, sm_90a (132 multiprocessors; assumed, none is here)"));
  EXPECT_THAT(text, HasSubstr("uses_all: 24 registers, spills 36 B"));
  EXPECT_THAT(text, HasSubstr("8 blocks a multiprocessor, occupancy 50 %"));
  EXPECT_THAT(text, HasSubstr("set workspace to 0xff, 512 B"));
  EXPECT_THAT(text, HasSubstr("write 4 bytes to table+4: 01020304"));
  EXPECT_THAT(text, HasSubstr("copy x to y+16, 64 B"));
  EXPECT_THAT(text, HasSubstr("uses_all<<<4, 128>>>(y)"));
  EXPECT_THAT(text, HasSubstr("HGMMA 1"));
  EXPECT_THAT(text, Not(HasSubstr("QGMMA")));
}

TEST_F(Inspection, ShowsEqualVariantsOfAShapeOnce) {
  plan.variants.push_back(plan.variants[0]);
  plan.variants[1].group = "extremes";
  EXPECT_THAT(plan_text(plan, inspect(), device),
              AllOf(HasSubstr("group extremes\n  as for group typical")));
}

}  // namespace
}  // namespace forge
