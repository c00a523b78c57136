// Every way of getting shapes.json wrong, each with the one line that the user sees.
#include "problem/parse_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "problem/problem_fixture.h"

namespace forge {
namespace {

struct BadShapes {
  const char* name;
  const char* from;     // replaced in kGoodShapes …
  const char* to;       // … by this
  const char* message;  // after "cannot read tasks/norm/shapes.json: "
};

constexpr const char* kTypical = R"({"name": "typical", "purpose": "values as they occur"},)";
constexpr const char* kDims = R"({"rows": 64, "cols": 128})";
constexpr const char* kScalars = R"({"eps": 1e-6, "pad": 3})";

const BadShapes kBadShapes[] = {
    {"UnknownKey", "\"groups\"", "\"group\"", "unknown key 'group'; did you mean 'groups'?"},
    {"ShapesMisspelt", "\"shapes\": [", "\"groups2\": [",
     "unknown key 'groups2'; did you mean 'groups'?"},
    {"GroupKey", "\"purpose\"", "\"porpose\"",
     "unknown key 'groups[0].porpose'; did you mean 'purpose'?"},
    {"PurposeMissing", kTypical, R"({"name": "typical"},)", "'groups[0].purpose' is missing"},
    {"PurposeEmpty", "values as they occur", " ",
     "'groups[0].purpose' must be one line; say what kind of error the group is there to catch"},
    {"PurposeOfTwoLines", "values as they occur", "a\\nb",
     "'groups[0].purpose' must be one line; say what kind of error the group is there to catch"},
    {"GroupTwice", "\"extreme\"", "\"typical\"",
     "'groups[1].name' is 'typical', like another group; groups shared by all shapes count too"},
    {"GroupName", "\"extreme\"", "\"../x\"",
     "'groups[1].name' is '../x', which does not start with a letter or a digit"},
    {"GroupIsNoObject", kTypical, "3,", "'groups[0]' must be an object"},
    {"ShapeName", "\"large\"", "\"a b\"",
     "'shapes[0].name' is 'a b', which has characters other than letters, digits, '_', '-' and "
     "'.'"},
    {"DimMissing", kDims, R"({"rows": 64})", "'shapes[0].dims.cols' is missing"},
    {"DimsMissing", R"("dims": {"rows": 64, "cols": 128},)", "", "'shapes[0].dims' is missing"},
    {"DimUnknown", kDims, R"({"rows": 64, "cols": 128, "clos": 1})",
     "'shapes[0].dims.clos' is no dim of the signature; did you mean 'cols'?"},
    {"DimNegative", "128", "-1", "'shapes[0].dims.cols' must be at least 0"},
    {"DimFraction", "128", "1.5", "'shapes[0].dims.cols' must be an integer"},
    {"ScalarUnknown", kScalars, R"({"eps": 1e-6, "pod": 3})",
     "'shapes[0].scalars.pod' is no scalar of the signature; did you mean 'pad'?"},
    {"ScalarWrongType", kScalars, R"({"eps": "1e-6", "pad": 3})",
     "'shapes[0].scalars.eps' must be a number: the scalar is f32"},
    {"ScalarFraction", kScalars, R"({"eps": 1e-6, "pad": 3.5})",
     "'shapes[0].scalars.pad' must be an integer: the scalar is i32"},
    {"ScalarWithoutValue", kScalars, R"({"eps": 1e-6})",
     "shape 'large' with group 'typical': scalar 'pad' has no value; give it in the shape's or in "
     "the group's 'scalars'"},
    {"ScalarTooLarge", kScalars, R"({"eps": 1e-6, "pad": 3000000000})",
     "shape 'large' with group 'typical': the value 3000000000 of scalar 'pad' does not fit into "
     "i32"},
    {"AbsentUnknown", "[\"w\"]", "[\"x\"]",
     "'groups[2].absent' names 'x', which is no optional input; known: w"},
    {"AbsentTwice", "[\"w\"]", "[\"w\", \"w\"]", "'groups[2].absent' names 'w' twice"},
    {"AbsentIsANumber", "[\"w\"]", "[1]", "'groups[2].absent' must be an array of strings"},
    {"NothingToWrite", "64", "0",
     "shape 'large' with group 'typical': no output has any element; nothing could be judged or "
     "timed"},
    {"TooLarge", "64, \"cols\": 128", "9000000000000, \"cols\": 9000000000000",
     "shape 'large' with group 'typical': 'x' is larger than 64 TiB"},
};

class BadShapesTest : public ::testing::TestWithParam<BadShapes> {};

TEST_P(BadShapesTest, IsRefusedWithFileKeyAndRemedy) {
  ProblemFixture files;
  files.edit_shapes(GetParam().from, GetParam().to);
  EXPECT_EQ(files.load_message(),
            std::string("cannot read tasks/norm/shapes.json: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BadShapesTest, ::testing::ValuesIn(kBadShapes),
                         [](const auto& test) { return std::string(test.param.name); });

std::string message_of(std::string_view text) {
  const auto shapes = parse_shapes(text, "s.json", Signature{});
  return shapes ? "no error" : shapes.error().message();
}

TEST(ParseShapes, NeedsAShapeAndAGroupEach) {
  EXPECT_EQ(message_of("[]"), "cannot read s.json: the document must be an object");
  EXPECT_EQ(message_of("{}"), "cannot read s.json: 'shapes' is missing");
  EXPECT_EQ(message_of(R"({"shapes": []})"),
            "cannot read s.json: 'shapes' must hold at least one shape");
  EXPECT_EQ(message_of(R"({"shapes": [{"name": "a"}]})"),
            "cannot read s.json: 'shapes[0].groups' is missing: a shape needs at least one input "
            "group; add { \"name\": …, \"purpose\": … } to it or to the document's groups");
  EXPECT_EQ(message_of(R"({"groups": [{"name": "g", "purpose": "p"}],
                           "shapes": [{"name": "a"}, {"name": "a"}]})"),
            "cannot read s.json: 'shapes[1].name' is 'a', like another shape");
}

TEST(ParseShapes, BooleanScalarsAreTrueOrFalse) {
  Signature signature;
  signature.scalars = {{"causal", Dtype::kBool}};
  const auto parse = [&](std::string_view value) {
    return parse_shapes(R"({"groups": [{"name": "g", "purpose": "p"}],
                            "shapes": [{"name": "a", "scalars": {"causal": )" +
                            std::string(value) + "}}]}",
                        "s.json", signature);
  };
  EXPECT_EQ(std::get<std::int64_t>(parse("true")->at(0).scalars.at("causal")), 1);
  EXPECT_EQ(parse("1").error().cause,
            "'shapes[0].scalars.causal' must be true or false: the scalar is bool");
}

}  // namespace
}  // namespace forge
