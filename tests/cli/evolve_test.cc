// What `forge evolve` says of what it can't do, in one line, before it makes anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program_rig.h"

namespace forge {
namespace {

class EvolveProgram : public testing::Test {
 protected:
  void expect_refused(std::vector<std::string> arguments, const std::vector<std::string>& parts) {
    arguments.insert(arguments.begin(), "evolve");
    expect_one_line_error(rig_.forge(arguments), parts);
    EXPECT_FALSE(rig_.fs().exists(rig_.artifacts()));
  }

  ProgramRig rig_{CacheKind::kShared};
};

TEST_F(EvolveProgram, RefusesATaskThatIsNotThere) { expect_refused({"nowhere"}, {"nowhere"}); }

TEST_F(EvolveProgram, RefusesAStepThatIsNoGain) {
  expect_refused({"saxpy", "--step", "0.9"}, {"--step: '0.9' is no number from 1 to 100"});
  expect_refused({"saxpy", "--step", "nan"}, {"--step: 'nan'"});
}

TEST_F(EvolveProgram, RefusesANumberOfGenerationsThatIsNone) {
  expect_refused({"saxpy", "--generations", "0"},
                 {"--generations: '0' is no number from 1 to 1000"});
  expect_refused({"saxpy", "--generations", "many"}, {"--generations: 'many'"});
}

TEST_F(EvolveProgram, NamesTheLineOfASettingThatIsWrong) {
  rig_.write(rig_.task() / "task.toml", "name = 3\n");
  expect_refused({"saxpy"}, {"task.toml"});
}

}  // namespace
}  // namespace forge
