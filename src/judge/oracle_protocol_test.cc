#include "judge/oracle_protocol.h"

#include <gmock/gmock.h>

#include "base/text.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OracleGreeting, SurvivesItsText) {
  const OracleGreeting greeting{"PyTorch 1.13.0, python 3.11.2", {"a", "b"}, {"a"}, {"g"}};
  const auto back = parse_greeting(split_lines(trim(greeting_text(greeting))));
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(*back, greeting);
}

TEST(OracleGreeting, OtherVersionsAndUnknownLinesAreRefused) {
  EXPECT_FALSE(parse_greeting({}).has_value());
  EXPECT_FALSE(parse_greeting({"forge-oracle 1", "ready"}).has_value());
  EXPECT_FALSE(parse_greeting({"forge-oracle 2", "describe x"}).has_value());
  EXPECT_FALSE(parse_greeting({"forge-oracle 2", "colour red", "ready"}).has_value());
}

TEST(OracleAnswer, IsOkErrorOrGarbage) {
  EXPECT_EQ(std::get<OracleOk>(parse_answer("ok")).rest, "");
  EXPECT_EQ(std::get<OracleOk>(parse_answer("ok 0.5 why")).rest, "0.5 why");
  EXPECT_EQ(std::get<OracleRefusal>(parse_answer("error no")).reason, "no");
  EXPECT_EQ(std::get<OracleGarbage>(parse_answer("okay")).line, "okay");
  EXPECT_EQ(std::get<OracleGarbage>(parse_answer("")).line, "");
}

class CaseRequest : public testing::Test {
 protected:
  CaseRequest() {
    x_.name = "x";
    x_.dtype = Dtype::kI32;
    x_.range = IntegerRange{Expr::constant(0), Expr::constant(9)};
    bias_.name = "bias";
    eps_ = {"eps", Dtype::kF32};
    instance_.shape = "large";
    instance_.group = "typical";
    instance_.dims = {{"n", 3}};
    instance_.tensors = {{&x_, {Dtype::kI32, {3}, {2}}, true, 0, 9},
                         {&bias_, {Dtype::kF32, {3}, {1}}, false, 0, 0}};
    instance_.scalars = {{&eps_, 0.1}};
  }
  Digest key() const { return case_key(digest_of("o"), {}, instance_, 5); }

  TensorParam x_;
  TensorParam bias_;
  ScalarParam eps_;
  Instance instance_;
};

TEST_F(CaseRequest, SaysAllThatACaseConsistsOf) {
  const auto request = case_request(instance_, 5, "/cache/case");
  ASSERT_TRUE(request.has_value());
  EXPECT_THAT(split_lines(trim(*request)),
              ElementsAre("case", "folder /cache/case", "shape large", "group typical", "seed 5",
                          "dim n 3", "scalar eps f32 0.10000000000000001", "tensor x in i32 1 3 2",
                          "range x 0 9", "absent bias", "end"));
}

TEST_F(CaseRequest, RefusesNamesThatWouldBreakALine) {
  EXPECT_FALSE(case_request(instance_, 5, "/cache\nseed 6").has_value());
  instance_.group = "a\nb";
  EXPECT_FALSE(case_request(instance_, 5, "/cache").has_value());
}

TEST_F(CaseRequest, EverythingThatChangesACaseChangesItsKey) {
  const Digest before = key();
  EXPECT_EQ(key(), before);
  EXPECT_NE(case_key(digest_of("o"), {}, instance_, 6), before);
  EXPECT_NE(case_key(digest_of("p"), {}, instance_, 5), before);
  EXPECT_NE(case_key(digest_of("o"), {"another torch", {}, {}, {}}, instance_, 5), before);
  instance_.scalars[0].value = 0.2;
  EXPECT_NE(key(), before);
  instance_.scalars[0].value = 0.1;
  instance_.tensors[0].layout.strides = {1};
  EXPECT_NE(key(), before);
}

}  // namespace
}  // namespace forge
