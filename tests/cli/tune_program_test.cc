// forge tune from end to end on a user's kernel: a budget that is kept, the same search for the
// same seed, and what was measured before is used again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/json.h"
#include "base/text.h"
#include "program_rig.h"

namespace forge {
namespace {

using testing::HasSubstr;

class TuneProgram : public testing::Test {
 protected:
  Json tune(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"tune", "saxpy", "saxpy/start/kernel.cpp", "--json"});
    const ProcessResult result = rig_.forge(arguments);
    EXPECT_EQ(exit_code(result), 0) << result.standard_output << result.standard_error;
    auto json = parse_json(result.standard_output, "forge tune --json");
    EXPECT_TRUE(json) << json.error().message();
    return json ? *json : Json::object();
  }

  static double number(const Json& json, std::string_view key) {
    double value = -1;
    const Json* found = json.find(key);
    EXPECT_TRUE(found != nullptr && found->as_number(value)) << key;
    return value;
  }

  // The combinations in a folder's table, without what was measured of them.
  std::set<std::string> combinations(const std::string& folder) {
    const auto table = rig_.fs().read(rig_.folder() / folder / "measurements.tsv").value();
    std::set<std::string> found;
    for (const std::string& line : split_lines(table)) {
      const auto second_tab = line.find('\t', line.find('\t') + 1);
      found.insert(line.substr(0, second_tab));
    }
    return found;
  }

  ProgramRig rig_{CacheKind::kOwn};
};

TEST_F(TuneProgram, KeepsItsBudgetSearchesAlikeForASeedAndGoesOnWhereItWas) {
  const std::vector<std::string> two = {"--budget-measurements", "2", "--seed", "7"};
  auto first = two;
  first.insert(first.end(), {"--out", "first"});
  const Json json = tune(first);
  EXPECT_EQ(number(json, "measurements"), 2);
  EXPECT_EQ(number(json, "earlier_measurements"), 0);
  EXPECT_THAT(json.dump(), HasSubstr("measurements are spent"));
  EXPECT_THAT(json.dump(), HasSubstr(R"("verdict":"passed")"));
  EXPECT_THAT(rig_.fs().read(rig_.folder() / "first" / "kernel.cpp").value(),
              HasSubstr("FORGE_TUNABLE"));

  auto again = two;
  again.insert(again.end(), {"--out", "again", "--fresh"});
  EXPECT_EQ(number(tune(again), "earlier_measurements"), 0);
  EXPECT_EQ(combinations("first"), combinations("again"));
  EXPECT_EQ(combinations("first").size(), 3u) << "a heading and two combinations";

  const Json more = tune({"--budget-measurements", "1", "--out", "more"});
  EXPECT_EQ(number(more, "earlier_measurements"), 4);
}

TEST_F(TuneProgram, AKernelThatDeclaresNothingIsOneLine) {
  rig_.write(rig_.folder() / "plain.cpp", "int nothing;\n");
  const ProcessResult result = rig_.forge({"tune", "saxpy", "plain.cpp"});
  EXPECT_EQ(exit_code(result), 1);
  EXPECT_THAT(result.standard_error, HasSubstr("declares nothing to choose"));
  EXPECT_THAT(result.standard_error, HasSubstr("FORGE_TUNABLE"));
}

}  // namespace
}  // namespace forge
