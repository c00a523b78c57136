#include "driver/build_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

const Words kCommand = {"g++",
                        "-std=c++20",
                        "-O3",
                        "-D__TIMESTAMP__=\"\"",
                        "-frandom-seed=96e6",
                        "-ffile-prefix-map=/run/jobs/0011/bundle/=",
                        "-I",
                        "/run/jobs/0011/bundle/work/include",
                        "-I",
                        "/cache/support/include",
                        "-MD",
                        "-MF",
                        "kernel.d",
                        "-o",
                        "kernel.so",
                        "/run/jobs/0011/bundle/arms/candidate/kernel.cpp",
                        "-Wl,-z,now",
                        "-Wl,--version-script=exports.map"};

TEST(BuildText, ThePortableCommandNamesNoFolderOutsideAndKeepsTheFlags) {
  EXPECT_EQ(portable_command(kCommand, {"include/mine"}),
            (Words{"g++", "-I.", "-Iinclude", "-Iinclude/mine", "-std=c++20", "-O3", "-o",
                   "kernel.so", "kernel.cpp", "-Wl,-z,now"}));
}

TEST(BuildText, TheExactCommandIsACommentQuotedForAShell) {
  const std::string text = build_text(kCommand, {});
  EXPECT_THAT(text, HasSubstr("\n# g++ -std=c++20 -O3 '-D__TIMESTAMP__=\"\"' -frandom-seed=96e6 "));
  EXPECT_THAT(text, HasSubstr("\ng++ -I. -Iinclude -std=c++20 "));
}

TEST(BuildText, QuotesWhatAShellWouldReadOtherwise) {
  EXPECT_EQ(shell_words({"plain", "two words", "it's", "", "$HOME"}),
            "plain 'two words' 'it'\\''s' '' '$HOME'");
}

TEST(BuildText, WithoutACommandItSaysSo) {
  EXPECT_THAT(build_text({}, {}), HasSubstr("not known"));
}

}  // namespace
}  // namespace forge
