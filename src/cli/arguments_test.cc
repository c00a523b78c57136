#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cli/subcommands.h"

namespace forge {
namespace {

using testing::HasSubstr;

template <typename T>
T options_of(const std::vector<std::string>& arguments) {
  const auto parsed = parse_arguments(arguments);
  const auto* invocation = std::get_if<Invocation>(&parsed);
  if (invocation == nullptr) {
    ADD_FAILURE() << std::get<ArgumentError>(parsed).error.message();
    return T{};
  }
  const T* options = std::get_if<T>(&invocation->options);
  EXPECT_NE(options, nullptr);
  return options == nullptr ? T{} : *options;
}

std::string error_of(const std::vector<std::string>& arguments) {
  const auto parsed = parse_arguments(arguments);
  const auto* error = std::get_if<ArgumentError>(&parsed);
  return error == nullptr ? "" : error->error.message();
}

TEST(Arguments, BecomeTypedOptions) {
  EXPECT_EQ(options_of<NewOptions>({"new", "tasks/x"}).mode, NewMode::kCreate);
  EXPECT_EQ(options_of<NewOptions>({"new", "--dry-run", "tasks/x"}).mode, NewMode::kDryRun);
  const auto judge = options_of<JudgeOptions>({"judge", "tasks/x", "k.cpp", "--json"});
  EXPECT_EQ(judge.task, "tasks/x");
  EXPECT_EQ(judge.kernel, "k.cpp");
  EXPECT_EQ(judge.format, OutputFormat::kJson);
  EXPECT_EQ(options_of<RunOptions>({"run", ".artifacts/x_1234"}).run, ".artifacts/x_1234");
  EXPECT_EQ(options_of<ShowOptions>({"show", "x"}).run, "x");
  EXPECT_EQ(options_of<ReportOptions>({"report", "x"}).run, "x");
  EXPECT_EQ(options_of<StatusOptions>({"status"}).format, OutputFormat::kText);
  options_of<DoctorOptions>({"doctor"});
  options_of<VersionOptions>({"--version"});
}

TEST(Arguments, UnknownSubcommandsAreRefusedWithTheNearestOne) {
  EXPECT_EQ(error_of({"juge"}), "cannot run 'juge': no such subcommand; did you mean 'judge'?");
  EXPECT_THAT(error_of({"frobnicate"}), HasSubstr("run forge --help for the list"));
  EXPECT_THAT(error_of({}), HasSubstr("no subcommand was given"));
}

TEST(Arguments, UnknownOptionsAreRefusedWithTheNearestOne) {
  EXPECT_THAT(error_of({"new", "tasks/x", "--dryrun"}), HasSubstr("did you mean '--dry-run'?"));
  EXPECT_THAT(error_of({"new", "tasks/x", "--goal=3"}), HasSubstr("has no such option"));
}

TEST(Arguments, MissingAndSuperfluousOnesAreSaidToBe) {
  EXPECT_THAT(error_of({"new"}), HasSubstr("TASK is required"));
  EXPECT_THAT(error_of({"judge", "tasks/x"}), HasSubstr("KERNEL is required"));
  EXPECT_THAT(error_of({"doctor", "now"}), HasSubstr("now"));
}

TEST(Arguments, HelpNamesEverySubcommandAndEachHasItsOwn) {
  const std::string help = options_of<HelpOptions>({"--help"}).text;
  for (const Subcommand& each : subcommands()) {
    EXPECT_THAT(help, HasSubstr(std::string(each.name)));
    const std::string own = options_of<HelpOptions>({std::string(each.name), "--help"}).text;
    EXPECT_THAT(own, HasSubstr(std::string(each.summary)));
  }
}

TEST(Subcommands, AreSortedByName) {
  const auto table = subcommands();
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
}

}  // namespace
}  // namespace forge
