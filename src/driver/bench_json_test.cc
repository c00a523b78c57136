#include "driver/bench_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_run.h"

namespace forge {
namespace {

class BenchJsonTest : public testing::Test {
 protected:
  BenchJsonTest() {
    FORGE_CHECK(world_.create().has_value());
    state_ = world_.drive_to_end();
  }

  Json written() { return parse_json(*world_.fs.read(world_.run / "best/bench.json"), "").value(); }

  FakeRun world_;
  State state_;
};

double number(const Json& json, std::string_view key) {
  double value = -1;
  EXPECT_TRUE(json.find(key) != nullptr && json.find(key)->as_number(value)) << key;
  return value;
}

TEST_F(BenchJsonTest, TheHeadComesFirstAndInOrder) {
  std::vector<std::string> keys;
  const Json json = written();
  for (const auto& [key, value] : *json.as_object()) keys.push_back(key);
  EXPECT_THAT(keys, testing::ElementsAre("format", "problem", "target", "opponent", "ratio",
                                         "comparison", "trials", "measured_by", "shapes", "machine",
                                         "kernel_digest", "round", "commit", "date", "result"));
}

TEST_F(BenchJsonTest, OfAConfirmedBestItQuotesTheConfirmation) {
  const Json json = written();
  const MeasuredRatio& measured = state_.confirmation()->ratios.at(0).measured;
  EXPECT_EQ(*json.find("measured_by")->as_string(), "confirmation");
  EXPECT_EQ(number(*json.find("ratio"), "point"), measured.ratio.point);
  EXPECT_EQ(number(*json.find("ratio"), "alpha"), 0.01);
  EXPECT_EQ(*json.find("kernel_digest")->as_string(), state_.best()->started.source);
  const Json& shape = json.find("shapes")->as_array()->at(0);
  EXPECT_EQ(*shape.find("shape")->as_string(), "large");
  EXPECT_FALSE(*shape.find("hidden")->as_bool());
  EXPECT_EQ(number(shape, "reference_ns"), world_.delivery.reference_ns);
}

TEST_F(BenchJsonTest, OfAnUnconfirmedBestTheAlphaIsThatOfTheLookItStoppedAt) {
  const RunPaths paths(world_.run);
  const Journal journal = read_journal(world_.fs, paths.journal()).value();
  State before = state_;
  before.confirmations.clear();
  const Path file = paths.job_result(before.best()->started.job) / "result.json";
  const Json json = parse_json(*world_.fs.read(file), "").value();
  const JobResult result = result_from_json(json, "").value();
  Problem problem;
  const Json bench = bench_json({problem, before, journal, result, json});
  EXPECT_EQ(*bench.find("measured_by")->as_string(), "round");
  EXPECT_EQ(number(*bench.find("ratio"), "alpha"), 0.003);
  EXPECT_FALSE(bench.find("date")->as_string()->empty());
}

TEST_F(BenchJsonTest, AShapeOfTheHiddenFileIsMarked) {
  const RunPaths paths(world_.run);
  const Journal journal = read_journal(world_.fs, paths.journal()).value();
  const Path file = paths.job_result(state_.confirmation()->job) / "result.json";
  const Json json = parse_json(*world_.fs.read(file), "").value();
  const JobResult result = result_from_json(json, "").value();
  Problem problem;
  problem.hidden_shapes.push_back({"large", {}, {}, {}});
  const Json bench = bench_json({problem, state_, journal, result, json});
  EXPECT_TRUE(*bench.find("shapes")->as_array()->at(0).find("hidden")->as_bool());
}

}  // namespace
}  // namespace forge
