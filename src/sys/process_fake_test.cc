#include "sys/process_fake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::HasSubstr;

ProcessSpec call(std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  return spec;
}

TEST(FakeProcess, TheLongestAndThenTheLatestRuleAnswers) {
  FakeProcessRunner runner;
  runner.answer({"git", "commit"}, exited_with(0, "first"));
  runner.answer({"git"}, exited_with(1, "general"));
  runner.answer({"git", "commit"}, exited_with(0, "second"));
  EXPECT_EQ(runner.run(call({"git", "commit", "-m", "x"}))->standard_output, "second");
  EXPECT_EQ(runner.run(call({"git", "log"}))->standard_output, "general");
  ASSERT_EQ(runner.calls().size(), 2u);
  EXPECT_EQ(runner.calls()[0].argv[3], "x");
}

TEST(FakeProcess, ACallWithoutARuleIsAnErrorThatShowsIt) {
  FakeProcessRunner runner;
  const auto result = runner.run(call({"rm", "-rf", "x"}));
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message(), HasSubstr("rm -rf x"));
  EXPECT_EQ(runner.calls().size(), 1u);
}

TEST(FakeProcess, AnswersMayBeErrorsOrDependOnTheCall) {
  FakeProcessRunner runner;
  runner.answer({"cc"}, Error{ErrorKind::kNotFound, "cannot start", "cc", "not in PATH", ""});
  runner.answer({"cat"}, [](const ProcessSpec& spec) -> Result<ProcessResult> {
    return exited_with(0, spec.standard_input);
  });
  EXPECT_EQ(runner.run(call({"cc"})).error().kind, ErrorKind::kNotFound);
  ProcessSpec cat = call({"cat"});
  cat.standard_input = "text";
  EXPECT_EQ(runner.run(cat)->standard_output, "text");
}

TEST(FakeProcess, AHangingProcessTimesOutInRunAndIsKilledWithItsChildObject) {
  FakeProcessRunner runner;
  runner.hang({"sleep"});
  runner.answer({"true"}, exited_with(0));
  ProcessSpec spec = call({"sleep"});
  spec.limits.wall = std::chrono::seconds(5);
  EXPECT_EQ(runner.run(spec)->describe_end(), "took longer than 5 s");
  {
    const auto child = runner.start(spec);
    ASSERT_TRUE(child.has_value());
    EXPECT_FALSE((*child)->wait(std::chrono::milliseconds(1))->has_value());
    const auto done = runner.start(call({"true"}));
    ASSERT_TRUE(done.has_value());
    EXPECT_TRUE((*(*done)->wait(std::chrono::milliseconds(1)))->succeeded());
  }
  EXPECT_EQ(runner.kills(), 1);
}

}  // namespace
}  // namespace forge
