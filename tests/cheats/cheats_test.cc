// Every kernel of the corpus through the real worker: what tries to fool the judge gets the verdict
// that its own comment names, in words, and no ratio; what is honest passes and gets one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "approved/approve.h"
#include "cheats/judged_corpus.h"
#include "cheats/layers.h"

namespace forge {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// One of the layers that the comment names shows in the reason.
void expect_layer(const CheatCase& cheat, const std::string& reason) {
  bool shown = false;
  for (const std::string& name : cheat.any_of("layer")) {
    const Layer* layer = find_layer(name);
    ASSERT_NE(layer, nullptr) << "layers.h has no layer '" << name << "'";
    shown = shown || shows(reason, *layer);
  }
  EXPECT_TRUE(shown) << cheat.get("layer") << " does not show in: " << reason;
}

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
  expect_layer(cheat, reason);
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

// docs/cheats.md shows what the tests above hold every kernel to.
TEST(CheatsDocument, ShowsTheCorpus) {
  const std::vector<CheatCase> cheats = read_corpus("cpu");
  std::map<std::string, std::vector<const CheatCase*>> kinds;
  for (const CheatCase& cheat : cheats) kinds[cheat.get("kind")].push_back(&cheat);
  std::string text = fmt::format("{} kernels of {} kinds that try to fool the judge:\n\n",
                                 cheats.size(), kinds.size());
  text +=
      "| kind | kernel | what it tries | verdict | caught by |\n| --- | --- | --- | --- | --- |\n";
  for (const auto& [kind, kernels] : kinds) {
    for (const CheatCase* cheat : kernels) {
      text +=
          fmt::format("| {} | `{}` | {} | {} | {} |\n", kind, cheat->name(), cheat->get("tries"),
                      join(cheat->any_of("verdict"), " or "), join(cheat->any_of("layer"), " or "));
    }
  }
  const std::vector<CheatCase> controls = read_corpus("controls");
  text += fmt::format("\n{} honest kernels, all of which pass and are timed:\n\n", controls.size());
  text += "| kernel | problem | what it is |\n| --- | --- | --- |\n";
  for (const CheatCase& control : controls) {
    text += fmt::format("| `{}` | {} | {} |\n", control.name(), control.get("problem", "saxpy"),
                        control.get("control"));
  }
  expect_approved_section(std::string(FORGE_SOURCE_DIR) + "/docs/cheats.md", "corpus", text);
}

}  // namespace
}  // namespace forge
