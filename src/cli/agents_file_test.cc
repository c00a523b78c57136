#include "cli/agents_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/local_env.h"
#include "sys/fs_fake.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(AgentsFile, IsTheOneInThisFolderUnlessAnotherIsNamed) {
  FakeFs fs;
  EXPECT_EQ(read_agents(fs, "")->of(Role::kStudent).backend, "builtin");
  fs.add_file("agents.toml", "[student]\nbackend = \"inbox\"\n");
  fs.add_file("mine.toml", "[student]\nbackend = \"replay\"\nrun = \"r\"\n");
  EXPECT_EQ(read_agents(fs, "")->of(Role::kStudent).backend, "inbox");
  EXPECT_EQ(read_agents(fs, "mine.toml")->of(Role::kStudent).backend, "replay");
  EXPECT_THAT(read_agents(fs, "none.toml").error().message(), HasSubstr("none.toml"));
}

TEST(AgentsFile, OfARunIsTheOneItWasMadeWith) {
  FakeFs fs;
  fs.add_file("agents.toml", "[student]\nbackend = \"inbox\"\n");
  EXPECT_EQ(agents_of_run(fs, "run")->of(Role::kStudent).backend, "builtin");
  fs.add_file("run/agents.toml", "[student]\nbackend = \"replay\"\nrun = \"r\"\n");
  EXPECT_EQ(agents_of_run(fs, "run")->of(Role::kStudent).run, "r");
}

TEST(LocalEnv, ReadsNamesAndValuesAndPassesTheRestOver) {
  EXPECT_THAT(parse_local_env("# a comment\nA=1\nexport B = \"two words\"\nC=\nD='x'\nnonsense\n"
                              "1E=2\n=3\nF=a=b\n"),
              ElementsAre(Pair("A", "1"), Pair("D", "x"), Pair("F", "a=b")));
}

TEST(LocalEnv, TheEnvironmentGoesFirst) {
  FakeFs fs;
  fs.add_file("local.env", "A=file\nB=file\n");
  const auto look = with_local_env(fs, [](const std::string& name) -> std::optional<std::string> {
    if (name == "A") return "environment";
    return name == "B" ? std::optional<std::string>("") : std::nullopt;
  });
  EXPECT_EQ(look("A"), "environment");
  EXPECT_EQ(look("B"), "file");
  EXPECT_EQ(look("C"), std::nullopt);
}

}  // namespace
}  // namespace forge
