// Every kernel of the corpus through the real worker: what tries to fool the judge gets the verdict
// that its own comment names, in words, and no ratio; what is honest passes and gets one.
#include <gmock/gmock.h>

#include "cheats/judged_corpus.h"

namespace forge {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Cheat : public testing::TestWithParam<CheatCase> {};

TEST_P(Cheat, IsCaught) {
  const CheatCase& cheat = GetParam();
  for (const char* key : {"kind", "tries", "verdict", "layer"}) {
    ASSERT_NE(cheat.get(key), "") << "its comment names no " << key;
  }
  const auto result = corpus_judge().judge(cheat);
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  const std::string reason = explain(judged.outcome);
  EXPECT_THAT(cheat.any_of("verdict"), Contains(verdict_name(judged.outcome))) << reason;
  EXPECT_THAT(reason, HasSubstr(cheat.get("words")));
  EXPECT_THAT(reason, Not(HasSubstr("root:"))) << "it quotes what the kernel may not read";
  EXPECT_TRUE(judged.contrasts.empty()) << "it was timed";
  EXPECT_TRUE(result->times.empty()) << "it was timed";
}

INSTANTIATE_TEST_SUITE_P(Cpu, Cheat, testing::ValuesIn(read_corpus("cpu")), case_name);

class Control : public testing::TestWithParam<CheatCase> {};

TEST_P(Control, Passes) {
  const auto result = corpus_judge().judge(GetParam());
  ASSERT_TRUE(result) << result.error().message();
  const auto& judged = std::get<JudgeResult>(result->body);
  EXPECT_EQ(verdict_name(judged.outcome), "passed") << explain(judged.outcome);
  EXPECT_FALSE(judged.contrasts.empty()) << "it was not timed";
}

INSTANTIATE_TEST_SUITE_P(Cpu, Control, testing::ValuesIn(read_corpus("controls")), case_name);

}  // namespace
}  // namespace forge
