#include "base/expr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Bindings kBindings{{"batch", 4}, {"cols", 4096}, {"k", 100}, {"rows", 7}};

std::int64_t value_of(std::string_view text) {
  const auto expr = Expr::parse(text);
  EXPECT_TRUE(expr.has_value()) << expr.error().message();
  if (!expr) return -999;
  const auto value = expr->evaluate(kBindings);
  EXPECT_TRUE(value.has_value()) << value.error().message();
  return value ? *value : -999;
}

// Of parsing, or else of evaluating.
std::string error_of(std::string_view text) {
  const auto expr = Expr::parse(text);
  if (!expr) return expr.error().message();
  const auto value = expr->evaluate(kBindings);
  return value ? "no error" : value.error().message();
}

TEST(Expr, FollowsTheUsualPrecedenceAndGroupsToTheLeft) {
  EXPECT_EQ(value_of("batch+1"), 5);
  EXPECT_EQ(value_of("2+3*4"), 14);
  EXPECT_EQ(value_of("(2+3)*4"), 20);
  EXPECT_EQ(value_of("10-4-3"), 3);
  EXPECT_EQ(value_of("24/4/3"), 2);
  EXPECT_EQ(value_of("2 * -3 + 1"), -5);
  EXPECT_EQ(value_of("--3"), 3);
  EXPECT_EQ(value_of("k % 7 * 2"), 4);
  EXPECT_EQ(value_of(" cols / 128\t"), 32);
}

TEST(Expr, KnowsMinMaxAndCeilDiv) {
  EXPECT_EQ(value_of("min(k, cols)"), 100);
  EXPECT_EQ(value_of("max(k, cols)"), 4096);
  EXPECT_EQ(value_of("ceil_div(k, 64)*2"), 4);
  EXPECT_EQ(value_of("ceil_div(128, 64)"), 2);
  EXPECT_EQ(value_of("ceil_div(0-7, 2)"), -3);
  EXPECT_EQ(value_of("ceil_div(7, 0-2)"), -3);
  EXPECT_EQ(value_of("ceil_div(0-7, 0-2)"), 4);
}

TEST(Expr, ErrorsNameTheExpressionTheCauseAndARemedy) {
  EXPECT_EQ(error_of("k/128"),
            "cannot evaluate 'k/128': 100 is not a multiple of 128; use ceil_div to round up");
  EXPECT_EQ(error_of("4*row"), "cannot evaluate '4*row': unknown name 'row'; did you mean 'rows'?");
  EXPECT_EQ(error_of("k/(batch-4)"), "cannot evaluate 'k/(batch-4)': 100 is divided by 0");
  EXPECT_THAT(error_of("k%0"), HasSubstr("divided by 0"));
  EXPECT_THAT(error_of("ceil_div(1,0)"), HasSubstr("divided by 0"));
}

TEST(Expr, OverflowIsAnErrorInEveryOperation) {
  EXPECT_THAT(error_of("9223372036854775807+1"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("-9223372036854775807-2"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("4294967296*4294967296"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("(-9223372036854775807-1)/-1"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("ceil_div(-9223372036854775807-1, -1)"), HasSubstr("does not fit"));
  EXPECT_THAT(error_of("-(-9223372036854775807-1)"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("9223372036854775808"), HasSubstr("does not fit into 64 bits"));
  EXPECT_EQ(value_of("(-9223372036854775807-1) % -1"), 0);
}

TEST(Expr, MalformedTextIsRefusedWithWhatWasExpected) {
  EXPECT_THAT(error_of(""), HasSubstr("expected a number, a name or '(' at its end"));
  EXPECT_THAT(error_of("1+"), HasSubstr("at its end"));
  EXPECT_THAT(error_of("(1"), HasSubstr("expected ')'"));
  EXPECT_THAT(error_of("2 3"), HasSubstr("expected an operator at '3'"));
  EXPECT_THAT(error_of("rows)"), HasSubstr("expected an operator at ')'"));
  EXPECT_THAT(error_of("12a"), HasSubstr("neither a number nor a name"));
  EXPECT_THAT(error_of("sqrt(4)"), HasSubstr("unknown function 'sqrt'"));
  EXPECT_THAT(error_of("min(1)"), HasSubstr("takes two arguments"));
  EXPECT_THAT(error_of("max(1,2,3)"), HasSubstr("takes two arguments"));
  EXPECT_THAT(error_of("1.5"), HasSubstr("cannot parse"));
  EXPECT_THAT(error_of(std::string_view("1\0+1", 4)), HasSubstr("cannot parse"));
}

TEST(Expr, HostileDepthAndLengthAreErrorsAndDoNotExhaustTheStack) {
  EXPECT_THAT(error_of(std::string(500, '(')), HasSubstr("nested deeper"));
  EXPECT_THAT(error_of(std::string(500, '-') + "1"), HasSubstr("nested deeper"));
  EXPECT_THAT(error_of(std::string(100'000, '1')), HasSubstr("longer than"));
}

TEST(Expr, TellsItsTextAndItsNamesOnceAndSorted) {
  const auto expr = Expr::parse("rows*cols + min(rows, k)");
  ASSERT_TRUE(expr.has_value());
  EXPECT_EQ(expr->text(), "rows*cols + min(rows, k)");
  EXPECT_THAT(expr->names(), ElementsAre("cols", "k", "rows"));
  EXPECT_EQ(Expr::constant(-5).text(), "-5");
  EXPECT_EQ(*Expr::constant(-5).evaluate({}), -5);
  EXPECT_TRUE(Expr::constant(1).names().empty());
}

}  // namespace
}  // namespace forge
