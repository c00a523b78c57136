#include "judge/outcome.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

WrongValue wrong_value() {
  return {"large", "typical", "y", {12, 7}, 1.5, 1.25, 0.1, 0.0078125, 40, 1000};
}

std::vector<CandidateOutcome> every_outcome() {
  WrongValue odd{"small", "extremes", "z", {}, kInfinity, std::nan(""), kInfinity, 0.1, 1, 1};
  return {Passed{},
          CompileError{"kernel.cpp:3: error: \"expected\" ';'"},
          LaunchError{"large", "returned 3"},
          TimeoutOutcome{"large", "a call took longer than 20 s"},
          Crash{"small", "killed by SIGSEGV"},
          Wrong{{wrong_value(), odd}, 6},
          InputsModified{"large", "x"},
          Refused{"opened a file"},
          NoVerdict{"the machine is unsteady"}};
}

TEST(Outcome, EveryKindSurvivesJson) {
  for (const CandidateOutcome& outcome : every_outcome()) {
    const std::string text = to_json(outcome).dump();
    const auto json = parse_json(text, "result.json");
    ASSERT_TRUE(json.has_value()) << text;
    const auto back = outcome_from_json(JsonReader(*json, "result.json"));
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(back->index(), outcome.index());
    EXPECT_EQ(to_json(*back).dump(), text);
  }
}

TEST(Outcome, NanAndInfinitiesSurviveJson) {
  const CandidateOutcome outcome = every_outcome()[5];
  const auto json = parse_json(to_json(outcome).dump(), "result.json");
  ASSERT_TRUE(json.has_value());
  const auto back = outcome_from_json(JsonReader(*json, "result.json"));
  ASSERT_TRUE(back.has_value());
  const WrongValue& value = std::get<Wrong>(*back).worst[1];
  EXPECT_EQ(value.expected, kInfinity);
  EXPECT_TRUE(std::isnan(value.got));
}

TEST(Outcome, BadJsonIsAnErrorThatNamesTheKey) {
  for (const char* text : {R"({"kind":"fine"})", R"({})", R"({"kind":"crash","shape":"a"})",
                           R"({"kind":"wrong","checked":1,"worst":[{"shape":"a"}]})"}) {
    const auto json = parse_json(text, "result.json");
    ASSERT_TRUE(json.has_value());
    const auto outcome = outcome_from_json(JsonReader(*json, "result.json"));
    ASSERT_FALSE(outcome.has_value()) << text;
    EXPECT_THAT(outcome.error().message(), HasSubstr("result.json"));
  }
}

TEST(Outcome, VerdictsAreSpelledAsTheJsonOutputsPromise) {
  const std::vector<std::string_view> names = {"passed",  "compile_error", "launch_error",
                                               "timeout", "crash",         "wrong",
                                               "wrong",   "refused",       "no_verdict"};
  const auto outcomes = every_outcome();
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(verdict_name(outcomes[i]), names[i]);
}

TEST(Outcome, ExplainsWrongnessWithPlaceValuesAndTolerance) {
  const std::string text = explain(Wrong{{wrong_value()}, 6});
  EXPECT_THAT(text, HasSubstr("wrong in 1 of 6 cases"));
  EXPECT_THAT(text, HasSubstr("shape 'large', group 'typical'"));
  EXPECT_THAT(text, HasSubstr("40 of 1000 elements of y"));
  EXPECT_THAT(text, HasSubstr("y[12, 7] is 1.25, expected 1.5"));
  EXPECT_THAT(text, HasSubstr("error 0.1, allowed 0.00781"));
}

TEST(Outcome, WhatAnOracleComparesItselfIsExplainedInItsWords) {
  WrongValue value{"large", "ties", "index", {}, 0, 0, 2, 1, 1, 64};
  value.detail = "row 3, place 1: index 7 stands twice";
  const std::string text = explain(Wrong{{value}, 3});
  EXPECT_THAT(text, HasSubstr("shape 'large', group 'ties': index: row 3, place 1"));
  EXPECT_THAT(text, Not(HasSubstr("expected")));
  const auto back =
      outcome_from_json(JsonReader(to_json(CandidateOutcome(Wrong{{value}, 3})), "t"));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(std::get<Wrong>(*back).worst.at(0).detail, value.detail);
}

TEST(Outcome, ANanIsNamedWithoutTheSignThatPrintfGivesIt) {
  WrongValue value = wrong_value();
  value.got = -std::nan("");
  value.error = std::numeric_limits<double>::infinity();
  const std::string text = explain(Wrong{{value}, 6});
  EXPECT_THAT(text, HasSubstr("y[12, 7] is nan, expected 1.5"));
}

TEST(Outcome, ExplainsAFewFailingCasesAndCountsTheRest) {
  const std::string text = explain(Wrong{std::vector<WrongValue>(9, wrong_value()), 12});
  EXPECT_THAT(text, HasSubstr("wrong in 9 of 12 cases"));
  EXPECT_THAT(text, HasSubstr("And 5 more."));
}

TEST(Outcome, ExplainsEveryKindButPassed) {
  for (const CandidateOutcome& outcome : every_outcome()) {
    if (std::holds_alternative<Passed>(outcome)) {
      EXPECT_EQ(explain(outcome), "");
    } else {
      EXPECT_THAT(explain(outcome), Not(testing::IsEmpty()));
    }
  }
  EXPECT_THAT(explain(every_outcome()[6]), HasSubstr("input 'x' was modified on shape 'large'"));
}

}  // namespace
}  // namespace forge
