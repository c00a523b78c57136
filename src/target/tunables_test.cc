#include "target/tunables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "target/code_text.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Tunable> scan(std::string_view source) {
  const auto found = scan_tunables(source, "kernel.cpp");
  if (!found) ADD_FAILURE() << found.error().message();
  return found ? *found : std::vector<Tunable>{};
}

std::string message_of(std::string_view source) {
  const auto found = scan_tunables(source, "kernel.cpp");
  return found ? "no error" : found.error().message();
}

TEST(ScanTunables, FindsKindTypeNameDefaultValuesAndLine) {
  const auto found = scan(
      "#include \"forge_args.h\"\n"
      "FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16);\n"
      "  FORGE_STRUCTURE( bool ,kTwoPass,\n    false, true, false );\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, TunableKind::kTuning);
  EXPECT_EQ(found[0].type, "int");
  EXPECT_EQ(found[0].name, "kVec");
  EXPECT_EQ(found[0].default_value, "8");
  EXPECT_THAT(found[0].values, ElementsAre("1", "2", "4", "8", "16"));
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].kind, TunableKind::kStructure);
  EXPECT_EQ(found[1].default_value, "false");
  EXPECT_EQ(found[1].line, 3);
}

TEST(ScanTunables, TakesQualifiedTypesAndAllKindsOfValues) {
  const auto found = scan(
      "FORGE_TUNABLE(unsigned  long, kA, 0x10u, 0x10u, 1'000u);"
      "FORGE_TUNABLE(float, kB, -1.5e-3f, -1.5e-3f, .5);"
      "FORGE_TUNABLE(Mode, kC, Mode::kFast, Mode::kFast, ::a::Mode::kSafe);");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].type, "unsigned long");
  EXPECT_THAT(found[0].values, ElementsAre("0x10u", "1'000u"));
  EXPECT_THAT(found[1].values, ElementsAre("-1.5e-3f", ".5"));
  EXPECT_THAT(found[2].values, ElementsAre("Mode::kFast", "::a::Mode::kSafe"));
}

TEST(ScanTunables, SkipsCommentsLiteralsAndDirectives) {
  EXPECT_THAT(scan("// FORGE_TUNABLE(int, kA, 1, 1)\n"
                   "// continued \\\nFORGE_TUNABLE(int, kB, 1, 1)\n"
                   "/* FORGE_TUNABLE(int, kC, 1, 1) */\n"
                   "const char* a = \"FORGE_TUNABLE(int, kD, 1, 1)\";\n"
                   "const char* b = \"\\\"FORGE_TUNABLE(int, kE, 1, 1)\";\n"
                   "const char* c = R\"x(\" FORGE_TUNABLE(int, kF, 1, 1) )\" )x\";\n"
                   "#define X FORGE_TUNABLE(int, kG, 1, 1) \\\n FORGE_TUNABLE(int, kH, 1, 1)\n"
                   "  # define Y /* \n */ FORGE_TUNABLE(int, kI, 1, 1)\n"
                   "#error don't FORGE_TUNABLE(int, kJ, 1, 1)\n"
                   "int MY_FORGE_TUNABLE(int), FORGE_TUNABLES;\n"),
              IsEmpty());
}

TEST(ScanTunables, IsNotLedAstrayByQuotesThatAreNoLiterals) {
  EXPECT_EQ(scan("int a = 1'000'000; char b = '\"', c = '\\''; int d = 0xf'f;\n"
                 "FORGE_TUNABLE(int, kA, 1, 1);")
                .size(),
            1u);
}

TEST(ScanTunables, AllowsCommentsInsideADeclaration) {
  const std::string source = "FORGE_TUNABLE(int, kA, 2 /* (default) */,  // wide, fast\n 1, 2);";
  const auto found = scan(source);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].values, ElementsAre("1", "2"));
  EXPECT_EQ(with_default(source, found[0], "1"),
            "FORGE_TUNABLE(int, kA, 1 /* (default) */,  // wide, fast\n 1, 2);");
}

TEST(ScanTunables, ErrorsNameFileAndLine) {
  EXPECT_EQ(message_of("\nFORGE_TUNABLE(int, kA, 3, 1, 2);"),
            "cannot read kernel.cpp:2: the default 3 of 'kA' is not among its values; list it, "
            "spelled the same");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, 1, 1);\nFORGE_STRUCTURE(int, kA, 1, 1);"),
            "cannot read kernel.cpp:2: tunable 'kA' is declared twice; first in line 1");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, 1);"),
            "cannot read kernel.cpp:1: a declaration needs a type, a name, a default and at least "
            "one value");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, 1, 1, 1+1);"),
            "cannot read kernel.cpp:1: the value '1+1' of 'kA' is no single literal or identifier; "
            "values can't be expressions");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, 1, 1, 1);"),
            "cannot read kernel.cpp:1: the value 1 of 'kA' is listed twice");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, k-A, 1, 1);"),
            "cannot read kernel.cpp:1: 'k-A' is no C identifier");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int*, kA, 1, 1);"),
            "cannot read kernel.cpp:1: 'int*' is no plain type");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, f(1), 1);"),
            "cannot read kernel.cpp:1: the arguments must be a plain list that ends with ')'");
  EXPECT_EQ(message_of("FORGE_TUNABLE(int, kA, 1, 1"),
            "cannot read kernel.cpp:1: the arguments must be a plain list that ends with ')'");
  EXPECT_EQ(message_of("int FORGE_TUNABLE;"),
            "cannot read kernel.cpp:1: expected '(' after the macro's name");
}

constexpr std::string_view kByShape =
    "FORGE_SHAPES(dims.cols >= 8192, f(dims.rows, 2) < 64);\n"
    "FORGE_TUNABLE(int, kTile, 16, 16, 32);\n"
    "FORGE_TUNABLE_BY_SHAPE(int, kVec, ( 8,4 , 1), 1, 4, 8);\n"
    "FORGE_STRUCTURE_BY_SHAPE(bool, kTwo, (true, true, false), false, true);\n"
    "template <int kShape> void f() { FORGE_REQUIRE(kVec<kShape> * kTile <= 64); }\n"
    "FORGE_REQUIRE(kTile % 16 == 0);\n";

TEST(ScanChoices, TakesATunableByShapeAsOneForEachClass) {
  const auto choices = scan_choices(kByShape, "kernel.cpp");
  ASSERT_TRUE(choices) << choices.error().message();
  EXPECT_THAT(choices->shape_conditions, ElementsAre("dims.cols >= 8192", "f(dims.rows, 2) < 64"));
  ASSERT_EQ(choices->tunables.size(), 7u);
  EXPECT_EQ(choices->tunables[0].shape_class, -1);
  const auto& last = choices->tunables[3];
  EXPECT_EQ(last.name, "kVec[2]");
  EXPECT_EQ(last.shape_class, 2);
  EXPECT_EQ(last.default_value, "1");
  EXPECT_EQ(kByShape.substr(last.default_begin, last.default_end - last.default_begin), "1");
  EXPECT_EQ(choices->tunables[4].kind, TunableKind::kStructure);
}

TEST(ScanChoices, SaysARequirementByShapeForEachClass) {
  const auto choices = scan_choices(kByShape, "kernel.cpp");
  ASSERT_TRUE(choices) << choices.error().message();
  EXPECT_THAT(choices->requirements, ElementsAre("kVec[0] * kTile <= 64", "kVec[1] * kTile <= 64",
                                                 "kVec[2] * kTile <= 64", "kTile % 16 == 0"));
}

TEST(ScanChoices, ErrorsNameFileAndLine) {
  EXPECT_EQ(message_of("\nFORGE_TUNABLE_BY_SHAPE(int, kA, (1, 1), 1);"),
            "cannot read kernel.cpp:2: a tunable by shape needs FORGE_SHAPES before it");
  EXPECT_EQ(message_of("FORGE_SHAPES(dims.a > 1); FORGE_TUNABLE_BY_SHAPE(int, kA, (1, 1, 1), 1);"),
            "cannot read kernel.cpp:1: 'kA' has 3 defaults, and there are 2 classes of shapes");
  EXPECT_EQ(message_of("FORGE_SHAPES(dims.a > 1); FORGE_TUNABLE_BY_SHAPE(int, kA, 1, 1);"),
            "cannot read kernel.cpp:1: the defaults of 'kA' are no list in parentheses; give one "
            "for each class of shapes: (8, 4)");
  EXPECT_EQ(message_of("FORGE_SHAPES(dims.a > 1); FORGE_TUNABLE_BY_SHAPE(int, kA, (1, 2), 1);"),
            "cannot read kernel.cpp:1: the default 2 of 'kA[1]' is not among its values; list it, "
            "spelled the same");
  EXPECT_EQ(message_of("FORGE_SHAPES(dims.a > 1); FORGE_TUNABLE_BY_SHAPE(int, kA, (1, 1), 1);\n"
                       "FORGE_TUNABLE(int, kA, 1, 1);"),
            "cannot read kernel.cpp:2: tunable 'kA' is declared twice; first in line 1");
  EXPECT_EQ(message_of("FORGE_SHAPES(a, b); FORGE_SHAPES(c);"),
            "cannot read kernel.cpp:1: FORGE_SHAPES is there twice");
  EXPECT_EQ(message_of("FORGE_SHAPES(a,);"),
            "cannot read kernel.cpp:1: a condition of FORGE_SHAPES is empty");
}

TEST(WithDefaults, SetsWhatIsNamedAndWithoutDefaultsForgetsAll) {
  const auto tunables = scan(kByShape);
  const auto changed = with_defaults(kByShape, tunables, {{"kVec[1]", "8"}, {"kTile", "32"}});
  const auto found = scan(changed);
  EXPECT_EQ(found[0].default_value, "32");
  EXPECT_EQ(found[1].default_value, "8");
  EXPECT_EQ(found[2].default_value, "8");
  EXPECT_EQ(without_defaults(changed, found), without_defaults(kByShape, tunables));
  EXPECT_NE(without_defaults(kByShape, tunables), kByShape);
}

TEST(HeaderSettings, JoinTheValuesOfTheClasses) {
  const auto settings = header_settings({{"kTile", "32"}, {"kVec[1]", "4"}, {"kVec[0]", "8"}});
  EXPECT_EQ(settings, (std::map<std::string, std::string>{{"kTile", "32"}, {"kVec", "(8, 4)"}}));
  EXPECT_TRUE(is_tunable_setting("(8, 4)"));
  EXPECT_TRUE(is_tunable_setting("8"));
  EXPECT_FALSE(is_tunable_setting("(8, 4"));
  EXPECT_FALSE(is_tunable_setting("(8, f(4))"));
  EXPECT_FALSE(is_tunable_setting("()"));
}

TEST(WithDefault, ChangesNothingElse) {
  const std::string source =
      "int a;\nFORGE_TUNABLE(int, kA, 2, 1, 2);\nFORGE_TUNABLE(int, kB, 2, 2);";
  const auto changed = with_default(source, scan(source)[0], "1");
  EXPECT_EQ(changed, "int a;\nFORGE_TUNABLE(int, kA, 1, 1, 2);\nFORGE_TUNABLE(int, kB, 2, 2);");
  EXPECT_EQ(scan(changed)[0].default_value, "1");
}

TEST(TunableValue, IsOneLiteralOrName) {
  for (const char* value :
       {"0", "-1", "+2", "1.", "1e+5", "0x1F", "true", "kFast", "a::b", "1'0"}) {
    EXPECT_TRUE(is_tunable_value(value)) << value;
  }
  for (const char* value : {"", "-", "1 2", "1,2", "a b", "1+1", "0x1e+1", "f()", "a::", "::", "-a",
                            "1'", "1''0", "\"s\"", "a\n#define b"}) {
    EXPECT_FALSE(is_tunable_value(value)) << value;
  }
}

RC_GTEST_PROP(CodeOnly, KeepsLengthAndNewlinesOnAnyText, ()) {
  const auto alphabet = std::string("ab1'\"\\/*#\n\r R(),_");
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, alphabet.size()));
  std::string text;
  for (const std::size_t pick : picks) text += alphabet[pick];
  const std::string code = code_only(text);
  RC_ASSERT(code.size() == text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    RC_ASSERT((text[i] == '\n') == (code[i] == '\n'));
    RC_ASSERT(code[i] == text[i] || code[i] == ' ');
  }
}

}  // namespace
}  // namespace forge
