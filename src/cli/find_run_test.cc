#include "cli/find_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;

class FindRun : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"rmsnorm_7k2m", "rmsnorm_9abc", "softmax_2b4d"}) {
      fs_.add_file(Path(".artifacts") / name / "journal.jsonl", "");
    }
    fs_.add_file("elsewhere/notes.txt", "");
  }

  std::string error(const std::string& text) {
    const auto found = find_run(fs_, ".artifacts", text);
    return found ? "found " + found->string() : found.error().message();
  }

  FakeFs fs_;
};

TEST_F(FindRun, TakesAPath) {
  EXPECT_EQ(find_run(fs_, ".artifacts", ".artifacts/softmax_2b4d").value(),
            ".artifacts/softmax_2b4d");
}

TEST_F(FindRun, TakesAUniquePrefixOfTheName) {
  EXPECT_EQ(find_run(fs_, ".artifacts", "soft").value(), ".artifacts/softmax_2b4d");
  EXPECT_EQ(find_run(fs_, ".artifacts", "rmsnorm_7").value(), ".artifacts/rmsnorm_7k2m");
}

TEST_F(FindRun, RefusesAPrefixOfSeveralNamesAndListsThem) {
  EXPECT_THAT(error("rmsnorm"), HasSubstr("2 names begin so: rmsnorm_7k2m, rmsnorm_9abc"));
}

TEST_F(FindRun, SuggestsTheNearestName) {
  EXPECT_THAT(error("softmax_2b4e"), HasSubstr("did you mean 'softmax_2b4d'?"));
}

TEST_F(FindRun, SaysWhatToDoWithoutAnyRun) {
  FakeFs empty;
  const auto found = find_run(empty, ".artifacts", "x");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("make one with forge new TASK"));
}

TEST_F(FindRun, RefusesADirectoryThatIsNoRun) {
  EXPECT_THAT(error("elsewhere"), HasSubstr("it has no journal.jsonl"));
}

}  // namespace
}  // namespace forge
