#include "worker/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace forge {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result<JobResult> parse(const Json& json) { return result_from_json(json, "result.json"); }

std::string message_of(const Json& json) {
  auto result = parse(json);
  return result ? "accepted" : result.error().message();
}

Contrast contrast() {
  Contrast contrast;
  contrast.opponent = "reference";
  contrast.comparison = Comparison::kFaster;
  contrast.ratio = {3.4, 3.3, 3.5};
  contrast.trials = 6;
  contrast.shapes = {{"big", {3.6, 3.5, 3.7}}, {"small", {3.2, 3.1, 3.3}}};
  contrast.log_ratios = {1.2, 1.21, 1.22, 1.23, 1.2, 1.21};
  return contrast;
}

JobResult example() {
  JudgeResult judge;
  judge.outcome = Passed{};
  judge.contrasts = {contrast()};
  judge.checked_cases = 18;
  judge.timed_calls = 96;
  judge.monitor.stresses = {{"candidate", Stress::kSpikes, 3, 2, "y[1] of big is 2"}};
  judge.monitor.repeats = {{"reference", 6, 5}};
  judge.monitor.notes = {"inputs with one NaN were not tried: the oracle refuses NaN"};
  JobResult result;
  result.id = "0012-judge";
  result.body = judge;
  result.machine = {"A CPU @ 2.80GHz", "Linux 6.1",  4, {0}, {1, 2, 3},
                    "g++ 12.2.0",      "glibc 2.36", ""};
  result.arms = {{"candidate", "g++ 12.2.0", {"g++", "-O3"}, "aa"},
                 {"reference", "PyTorch 1.13.0", {}, "bb"}};
  result.times = {{"candidate", "big", 1.5e6, "cold"}, {"reference", "big", 5.1e6, "cold"}};
  result.ceilings = {{"big", 3.2e7, 2.1e6}};
  result.oracle = "PyTorch 1.13.0";
  result.compile_seconds = 1.25;
  result.output = "a line\nof output";
  return result;
}

TEST(ResultJson, TheExampleComesBackThroughText) {
  const Json json = to_json(example());
  const auto text = parse_json(json.dump_pretty(), "result.json");
  ASSERT_TRUE(text);
  const auto result = parse(*text);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(to_json(*result), json);
  const auto& judge = std::get<JudgeResult>(result->body);
  EXPECT_EQ(judge.contrasts[0].log_ratios, contrast().log_ratios);
  EXPECT_EQ(result->machine.arm_cpus, (std::vector<int>{1, 2, 3}));
}

TEST(ResultJson, InfiniteErrorsAndNansComeBackAsSuch) {
  JobResult result = example();
  AlignResult align;
  align.rows = {
      {{"y", "big", "wild"}, "reference", kInfinity, 0.1, {2, 3}, -kInfinity, std::nan("")}};
  align.mismatch = "they disagree";
  result.body = align;
  const auto text = parse_json(to_json(result).dump(), "result.json");
  ASSERT_TRUE(text);
  const auto back = parse(*text);
  ASSERT_TRUE(back) << back.error().message();
  const AlignmentRow& row = std::get<AlignResult>(back->body).rows.at(0);
  EXPECT_EQ(row.worst_error, kInfinity);
  EXPECT_EQ(row.expected, -kInfinity);
  EXPECT_TRUE(std::isnan(row.got));
}

TEST(ResultJson, AnotherVersionIsRefusedNamingBoth) {
  Json json = to_json(example());
  json.set("version", 1);
  EXPECT_THAT(message_of(json), HasSubstr("'version' is 1, and this program reads version 3"));
}

TEST(ResultJson, UnknownKeysWrongTypesAndImpossibleValuesAreRefused) {
  const auto changed = [](std::string_view key, Json value) {
    Json json = to_json(example());
    json.set(key, std::move(value));
    return message_of(json);
  };
  EXPECT_THAT(changed("extra", 1), HasSubstr("unknown key 'extra'"));
  EXPECT_THAT(changed("id", "a/b"), HasSubstr("'id'"));
  EXPECT_THAT(changed("type", "align"), HasSubstr("body."));
  EXPECT_THAT(changed("type", "guess"), HasSubstr("'type'"));
  EXPECT_THAT(changed("times", "none"), HasSubstr("'times' must be an array"));
  EXPECT_THAT(changed("compile_seconds", -1), HasSubstr("'compile_seconds'"));

  const auto judged = [](auto change) {
    JobResult result = example();
    change(std::get<JudgeResult>(result.body));
    return message_of(to_json(result));
  };
  EXPECT_THAT(judged([](JudgeResult& j) { j.contrasts[0].ratio.low = 9; }), HasSubstr("between"));
  EXPECT_THAT(judged([](JudgeResult& j) { j.contrasts[0].ratio = {-1, -2, 0}; }),
              HasSubstr("negative"));
  EXPECT_THAT(judged([](JudgeResult& j) { j.contrasts[0].cache = "tepid"; }), HasSubstr("cache"));
  EXPECT_THAT(judged([](JudgeResult& j) { j.checked_cases = -1; }), HasSubstr("checked_cases"));
  EXPECT_THAT(judged([](JudgeResult& j) { j.monitor.stresses[0].agreeing = 4; }),
              HasSubstr("agreeing"));
  EXPECT_THAT(judged([](JudgeResult& j) { j.monitor.repeats[0].identical = -1; }),
              HasSubstr("identical"));
}

TEST(ResultJson, ASweepsTrialHasANumberForEachShape) {
  JobResult result = example();
  SweepResult sweep;
  sweep.shapes = {"big", "small"};
  sweep.arms = {{"a", Passed{}, "aa", "", {{0.1, 0.2}, {0.1}}}};
  result.body = sweep;
  EXPECT_THAT(message_of(to_json(result)), HasSubstr("one number for each shape"));
  sweep.arms[0].log_ratios.pop_back();
  result.body = sweep;
  EXPECT_EQ(message_of(to_json(result)), "accepted");
}

template <typename T>
T pick(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

std::string text() { return *rc::gen::resize(12, rc::gen::string<std::string>()); }

// Any printable text; bytes that are no UTF-8 never reach a result.
std::string words() {
  std::string out = text();
  for (char& c : out) c = static_cast<char>(' ' + (static_cast<unsigned char>(c) % 90));
  return out;
}

double any_number() {
  if (*rc::gen::inRange(0, 8) == 0) return pick({kInfinity, -kInfinity, std::nan("")});
  return *rc::gen::arbitrary<double>();
}

double any_measurement() { return std::fabs(any_number()); }

Interval any_interval() {
  const double point = *rc::gen::inRange(1, 100'000) / 997.0;
  return {point, point * 0.9, point * 1.1};
}

CandidateOutcome any_outcome() {
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return Passed{};
    case 1:
      return CompileError{words()};
    case 2:
      return LaunchError{words(), words()};
    case 3:
      return TimeoutOutcome{words(), words()};
    case 4:
      return Crash{words(), words()};
    case 5: {
      WrongValue value;
      value.shape = words();
      value.group = words();
      value.output = words();
      value.index = *rc::gen::arbitrary<std::vector<std::int64_t>>();
      value.got = any_number();
      value.error = any_measurement();
      Wrong wrong;
      wrong.worst = {value};
      return wrong;
    }
    case 6:
      return InputsModified{words(), words()};
    case 7:
      return Refused{words()};
    default:
      return NoVerdict{words()};
  }
}

JobBody any_body() {
  switch (*rc::gen::inRange(0, 5)) {
    case 4:
      return PlanResult{any_outcome(), words(), {words(), words()},
                        words(),       words(), {{"registers", any_number()}}};
    case 3: {
      SweepResult sweep;
      sweep.shapes = {words(), words()};
      sweep.incumbent = any_outcome();
      sweep.arms = {{"a", any_outcome(), words(), words(), {{any_number(), any_number()}}},
                    {"b", any_outcome(), "", "known", {}}};
      return sweep;
    }
    case 0: {
      AlignResult align;
      align.rows = {{{words(), words(), words()},
                     "reference",
                     any_measurement(),
                     any_measurement(),
                     *rc::gen::arbitrary<std::vector<std::int64_t>>(),
                     any_number(),
                     any_number()}};
      align.tolerance.allowed[{words(), words(), words()}] = *rc::gen::inRange(0, 99) / 98.0;
      align.mismatch = words();
      align.admission = {*rc::gen::inRange(0, 99), *rc::gen::inRange(0, 99), {words()}, {words()}};
      return align;
    }
    case 1:
      return BaselineResult{"reference",
                            {any_measurement(), any_measurement()},
                            any_measurement(),
                            any_measurement(),
                            *rc::gen::arbitrary<bool>()};
    default: {
      JudgeResult judge;
      judge.outcome = any_outcome();
      Contrast contrast;
      contrast.opponent = "incumbent";
      contrast.cache = pick<std::string>({"cold", "warm"});
      contrast.comparison = pick(
          {Comparison::kFaster, Comparison::kSlower, Comparison::kSame, Comparison::kNoVerdict});
      contrast.ratio = any_interval();
      contrast.trials = *rc::gen::inRange(0, 100);
      contrast.reason = words();
      contrast.shapes = {{words(), any_interval()}};
      contrast.log_ratios = {any_number(), any_number()};
      judge.contrasts = {contrast};
      return judge;
    }
  }
}

RC_GTEST_PROP(ResultJson, AnyLegalResultComesBackThroughText, ()) {
  JobResult result = example();
  result.body = any_body();
  result.machine.cpu = words();
  result.times[0].median_ns = any_measurement();
  result.output = words();
  const auto text = parse_json(to_json(result).dump(), "result.json");
  RC_ASSERT(text.has_value());
  const auto back = parse(*text);
  if (!back) RC_FAIL(back.error().message());
  RC_ASSERT(to_json(*back) == to_json(result));
}

}  // namespace
}  // namespace forge
