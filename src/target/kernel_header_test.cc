#include "target/kernel_header.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "problem/documented.h"
#include "target/args_layout.h"
#include "target/compile_check.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TensorParam tensor(std::string name, Dtype dtype, Direction direction,
                   const std::vector<std::string>& shape) {
  TensorParam out;
  out.name = std::move(name);
  out.dtype = dtype;
  out.direction = direction;
  for (const std::string& extent : shape) out.shape.push_back(*Expr::parse(extent));
  return out;
}

// Strides, an optional input, an in-out, a range and scalars of all widths.
Problem rich_problem() {
  Problem problem;
  problem.name = "rich";
  Signature& signature = problem.signature;
  signature.dims = {"rows", "cols"};
  signature.scalars = {{"flag", Dtype::kBool}, {"eps", Dtype::kF64}, {"half", Dtype::kBf16},
                       {"n", Dtype::kI32},     {"tiny", Dtype::kI8}, {"big", Dtype::kI64}};
  signature.tensors = {
      tensor("x", Dtype::kBf16, Direction::kInput, {"rows", "cols"}),
      tensor("offsets", Dtype::kI32, Direction::kInput, {"rows+1"}),
      tensor("cache", Dtype::kF8E5m2, Direction::kInOut, {"cols", "rows"}),
      tensor("y", Dtype::kF32, Direction::kOutput, {"rows"}),
  };
  signature.tensors[0].strides = {*Expr::parse("2*cols"), Expr::constant(1)};
  signature.tensors[1].range = IntegerRange{Expr::constant(0), *Expr::parse("rows")};
  signature.tensors[1].meaning = IntegerMeaning::kOffsets;
  signature.tensors[1].presence = Presence::kOptional;
  signature.tensors[2].strides = {Expr::constant(1), *Expr::parse("cols")};
  return problem;
}

Problem problem_of_all_dtypes() {
  Problem problem;
  problem.name = "dtypes";
  for (const Dtype dtype : all_dtypes()) {
    const std::string name(dtype_name(dtype));
    problem.signature.scalars.push_back({"s_" + name, dtype});
    problem.signature.tensors.push_back(tensor("in_" + name, dtype, Direction::kInput, {}));
  }
  for (const Dtype dtype : all_dtypes()) {
    const std::string name(dtype_name(dtype));
    problem.signature.tensors.push_back(tensor("out_" + name, dtype, Direction::kOutput, {}));
  }
  return problem;
}

constexpr const char* kEmptyKernel =
    "#include \"forge_args.h\"\n"
    "std::size_t forge_workspace(const Dims*) { return 0; }\n"
    "int forge_launch(const Args*, void*) { return 0; }\n";

// The static_asserts in the header hold args_layout against the compiler's own offsets.
void expect_compiles(const Problem& problem) {
  const CompileCheck check;
  check.write("forge_args.h", kernel_header(problem));
  EXPECT_EQ(check.errors(kEmptyKernel), "") << kernel_header(problem);
}

TEST(KernelHeader, CompilesWithTheOffsetsOfArgsLayoutForARichSignature) {
  expect_compiles(rich_problem());
}

TEST(KernelHeader, CompilesForEveryDtype) { expect_compiles(problem_of_all_dtypes()); }

TEST(KernelHeader, CompilesWithoutDimsScalarsAndInputs) {
  Problem problem;
  problem.signature.tensors = {tensor("y", Dtype::kF16, Direction::kOutput, {"8"})};
  expect_compiles(problem);
  const ArgsLayout layout = args_layout(problem.signature);
  EXPECT_EQ(layout.dims_bytes, 8u);
  EXPECT_EQ(layout.dims_offset, 8u);
  EXPECT_EQ(layout.bytes, 32u);
}

TEST(KernelHeader, CompilesWhereMembersAreNamedLikeTypes) {
  Problem problem = rich_problem();
  problem.signature.dims = {"int64_t", "bf16", "rows", "cols"};
  problem.signature.scalars[0].name = "size_t";
  problem.signature.tensors[0].name = "f8_e5m2";
  expect_compiles(problem);
}

TEST(KernelHeader, DocumentsEachMember) {
  const std::string header = kernel_header(rich_problem());
  EXPECT_THAT(header, HasSubstr("  // input: bf16 [rows, cols], strides [2*cols, 1]\n"
                                "  const forge::bf16* x;\n"));
  EXPECT_THAT(header, HasSubstr("  // input: i32 [rows+1], contiguous; offsets; from 0 to rows; "
                                "null where it is left out\n"
                                "  const std::int32_t* offsets;\n"));
  EXPECT_THAT(header, HasSubstr("  // input and output: f8_e5m2 [cols, rows], strides [1, cols]\n"
                                "  forge::f8_e5m2* cache;\n"));
  EXPECT_THAT(header, HasSubstr("  std::int64_t x_strides[2];\n"));
  EXPECT_THAT(header, HasSubstr("  double eps;  // f64\n"));
}

TEST(KernelHeader, IsTheSameForBothTargetsButForItsTitle) {
  Problem problem = rich_problem();
  const std::string cpu = kernel_header(problem);
  problem.target = Target::kCuda;
  const std::string cuda = kernel_header(problem);
  EXPECT_EQ(cpu.substr(cpu.find("#pragma")), cuda.substr(cuda.find("#pragma")));
}

TEST(KernelHeader, TheDocumentedKernelCompiles) {
  Problem problem;
  problem.signature.dims = {"rows", "cols"};
  problem.signature.scalars = {{"scale", Dtype::kF32}};
  problem.signature.tensors = {
      tensor("x", Dtype::kBf16, Direction::kInput, {"rows", "cols"}),
      tensor("y", Dtype::kBf16, Direction::kOutput, {"rows"}),
  };
  problem.signature.tensors[0].strides = {*Expr::parse("2*cols"), Expr::constant(1)};
  const CompileCheck check;
  check.write("forge_args.h", kernel_header(problem));
  const std::string kernel = documented_example("kernel-interface.md", "cpp");
  EXPECT_EQ(check.errors(kernel, {"-fopenmp"}), "");
}

TEST(ArgsLayout, OrdersPointersStridesDimsScalarsWorkspace) {
  const ArgsLayout layout = args_layout(rich_problem().signature);
  std::vector<std::string> members;
  for (const ArgsField& field : layout.fields) {
    members.push_back(fmt::format("{}@{}+{}", field.name, field.offset, field.bytes));
  }
  EXPECT_THAT(members, ElementsAre("x@0+8", "offsets@8+8", "cache@16+8", "y@24+8",
                                   "x_strides@32+16", "cache_strides@48+16", "dims@64+16",
                                   "flag@80+1", "eps@88+8", "half@96+2", "n@100+4", "tiny@104+1",
                                   "big@112+8", "workspace@120+8", "workspace_bytes@128+8"));
  EXPECT_EQ(layout.bytes, 136u);
  EXPECT_EQ(layout.field_of_tensor(2)->name, "cache");
  EXPECT_EQ(layout.field_of_tensor(9), nullptr);
}

TEST(ArgsImage, IsWhatACompiledKernelReads) {
  const Problem problem = rich_problem();
  ShapeSpec shape;
  shape.name = "a";
  shape.dims = {{"rows", 3}, {"cols", 5}};
  shape.scalars = {{"flag", std::int64_t{1}},
                   {"eps", 0.1},
                   {"half", 1.5},
                   {"n", std::int64_t{-7}},
                   {"tiny", std::int64_t{-8}},
                   {"big", (std::int64_t{1} << 53) + 1}};
  const auto instance = instantiate(problem, shape, {"g", "p", {}, {}});
  ASSERT_TRUE(instance);
  const ArgsLayout layout = args_layout(problem.signature);
  const auto image = args_image(layout, problem.signature, *instance);
  const auto dims = dims_image(problem.signature, *instance);
  ASSERT_EQ(std::memcmp(image.data() + layout.dims_offset, dims.data(), dims.size()), 0);

  const CompileCheck check;
  check.write("forge_args.h", kernel_header(problem));
  const auto compiled = check.compile(R"(#include "forge_args.h"
#include <cstdio>
#include <iostream>
int main() {
  Args a;
  if (std::fread(&a, 1, sizeof a, stdin) != sizeof a) return 1;
  std::cout << (a.x == nullptr && a.y == nullptr && a.workspace == nullptr) << ' '
            << a.x_strides[0] << ' ' << a.x_strides[1] << ' ' << a.cache_strides[1] << ' '
            << a.dims.rows << ' ' << a.dims.cols << ' ' << a.flag << ' ' << a.eps << ' '
            << a.half.to_float() << ' ' << a.n << ' ' << int(a.tiny) << ' ' << a.big << ' '
            << a.workspace_bytes << '\n';
})",
                                      {"-o", "program"});
  ASSERT_TRUE(compiled.succeeded()) << compiled.standard_error;
  const std::string_view input(reinterpret_cast<const char*>(image.data()), image.size());
  EXPECT_EQ(check.run({"./program"}, input).standard_output,
            "1 10 1 5 3 5 1 0.1 1.5 -7 -8 9007199254740993 0\n");
}

TEST(TunableHeader, SetsEachTunableAndRefusesWhatIsNoValue) {
  EXPECT_THAT(*tunable_header({{"kVec", "16"}, {"kTwoPass", "false"}}),
              HasSubstr("#define FORGE_SET_kTwoPass ~, false\n#define FORGE_SET_kVec ~, 16\n"));
  EXPECT_EQ(tunable_header({{"kVec", "1\n#include \"/etc/passwd\""}}).error().message(),
            "cannot set tunable 'kVec': the value '1 #include \"/etc/passwd\"' is no single C++ "
            "literal or identifier");
  EXPECT_EQ(tunable_header({{"k Vec", "1"}}).error().message(),
            "cannot set tunable 'k Vec': the name is no C identifier");
}

constexpr const char* kTunedKernel =
    "#include <forge/kernel.h>\n"
    "enum class Mode { kSafe, kFast };\n"
    "FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16);\n"
    "FORGE_TUNABLE(float, kScale, 0.1f, 0.1f, 2.5f);\n"
    "FORGE_STRUCTURE(Mode, kMode, Mode::kSafe, Mode::kSafe, Mode::kFast);\n"
    "FORGE_REQUIRE(kVec * 2 <= 16 || kMode == Mode::kFast);\n";

TEST(Tunables, HaveTheirDefaultsWithoutAnInjectedHeader) {
  const CompileCheck check;
  EXPECT_EQ(check.errors(std::string(kTunedKernel) +
                         "static_assert(kVec == 8 && kScale == 0.1f && kMode == Mode::kSafe);\n"),
            "");
}

TEST(Tunables, TakeTheInjectedValues) {
  const CompileCheck check;
  check.write("set.h", *tunable_header({{"kVec", "16"}, {"kMode", "Mode::kFast"}}));
  EXPECT_EQ(
      check.errors(std::string(kTunedKernel) +
                       "static_assert(kVec == 16 && kScale == 0.1f && kMode == Mode::kFast);\n",
                   {"-include", "set.h"}),
      "");
}

TEST(Tunables, AValueThatIsNotListedDoesNotCompile) {
  const CompileCheck check;
  check.write("set.h", *tunable_header({{"kVec", "3"}}));
  EXPECT_THAT(check.errors(kTunedKernel, {"-include", "set.h"}),
              HasSubstr("tunable kVec is set to a value that its declaration does not list"));
}

TEST(Tunables, ACombinationThatBreaksARequirementDoesNotCompile) {
  const CompileCheck check;
  check.write("set.h", *tunable_header({{"kVec", "16"}}));
  EXPECT_THAT(check.errors(kTunedKernel, {"-include", "set.h"}),
              HasSubstr("these tunables break FORGE_REQUIRE(kVec * 2 <= 16"));
}

constexpr const char* kKernelByShape =
    "#include <forge/kernel.h>\n"
    "namespace forge { struct Dims { long rows, cols; }; }\n"
    "FORGE_SHAPES(dims.cols >= 8192, dims.rows < 64);\n"
    "FORGE_TUNABLE(int, kTile, 2, 1, 2, 3);\n"
    "FORGE_TUNABLE_BY_SHAPE(int, kVec, (8, 4, 1), 1, 4, 8);\n"
    "template <int kShape> constexpr int vec() {\n"
    "  FORGE_REQUIRE(kTile * kVec<kShape> < 24);\n"
    "  return kVec<kShape>;\n"
    "}\n"
    "constexpr int vec_of(long rows, long cols) {\n"
    "  return by_shape({rows, cols}, [](auto shape) { return vec<shape()>(); });\n"
    "}\n";

TEST(TunablesByShape, AreChosenByTheDimsOfACallAndTheLastClassTakesTheRest) {
  const CompileCheck check;
  EXPECT_EQ(check.errors(std::string(kKernelByShape) +
                         "static_assert(vec_of(9, 8192) == 8 && vec_of(9, 9) == 4);\n"
                         "static_assert(vec_of(64, 9) == 1);\n"),
            "");
}

TEST(TunablesByShape, TakeTheInjectedValues) {
  const CompileCheck check;
  check.write("set.h", *tunable_header({{"kVec", "(1, 8, 4)"}}));
  EXPECT_EQ(check.errors(std::string(kKernelByShape) +
                             "static_assert(vec_of(9, 8192) == 1 && vec_of(9, 9) == 8);\n"
                             "static_assert(vec_of(64, 9) == 4);\n",
                         {"-include", "set.h"}),
            "");
}

TEST(TunablesByShape, DoNotCompileWithValuesThatAreNotListedOrNotOneAClassOrBreakARequirement) {
  const CompileCheck check;
  const auto errors = [&](const char* values, const char* tile) {
    check.write("set.h", *tunable_header({{"kVec", values}, {"kTile", tile}}));
    return check.errors(std::string(kKernelByShape) + "int a = vec_of(1, 1);\n",
                        {"-include", "set.h"});
  };
  EXPECT_EQ(errors("(8, 4, 1)", "1"), "");
  EXPECT_THAT(errors("(8, 3, 1)", "1"),
              HasSubstr("tunable kVec is set to a value that its declaration does not list"));
  EXPECT_THAT(errors("(8, 4)", "1"), HasSubstr("tunable_by_shape_needs_one_default_a_class"));
  EXPECT_THAT(errors("(8, 4, 1)", "3"), HasSubstr("these tunables break FORGE_REQUIRE"));
}

}  // namespace
}  // namespace forge
