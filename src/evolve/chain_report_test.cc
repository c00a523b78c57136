#include "evolve/chain_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_chain.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ChainReportTest, TellsEachLinkTheOriginalTheReasonAndTheChanges) {
  FakeChain chain(2);
  const ChainState state = chain.evolve_to_end();
  const std::string text = *chain.world.fs.read(chain.paths().report());
  for (const char* part :
       {"# Evolution of norm", "| 0 | norm |", "| 1 | norm-g1 |", ": the next reference |",
        "gain of ", "no gain beyond the noise floor", "| 1 | 1.17x", "inside_noise_floor",
        "A plateau is an estimate, not a proof", "### Generation 0, against the start kernel",
        "### Generation 1, against the generation before"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(ChainReportTest, AChainWithoutAGainSaysThatThereIsNothingToCompare) {
  FakeChain chain(0);
  chain.evolve_to_end();
  const std::string text = *chain.world.fs.read(chain.paths().report());
  EXPECT_THAT(text, HasSubstr("No generation gained"));
  EXPECT_THAT(text, Not(HasSubstr("What each generation changed")));
}

TEST(ChainReportTest, JsonHoldsWhatTheTextSays) {
  FakeChain chain(1);
  const ChainState state = chain.evolve_to_end();
  const Json json = chain_json(state, chain.paths());
  ASSERT_NE(json.find("links"), nullptr);
  ASSERT_EQ(json.find("links")->as_array()->size(), 2u);
  const Json& first = json.find("links")->as_array()->front();
  EXPECT_EQ(*first.find("gain")->as_bool(), true);
  EXPECT_EQ(*json.find("stopped")->as_string(), "inside_noise_floor");
  EXPECT_EQ(json.find("cumulative")->as_array()->size(), 1u);
}

}  // namespace
}  // namespace forge
