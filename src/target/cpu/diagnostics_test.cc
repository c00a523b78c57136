#include "target/cpu/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/lies_within.h"
#include "target/cpu/cpp_compiler.h"
#include "target/cpu/dependencies.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kRoom = 4096;

TEST(ReduceDiagnostics, KeepsSnippetsAndNamesFilesWithoutTheirFolders) {
  EXPECT_EQ(reduce_diagnostics("/b/arm/kernel.cpp: In function 'int f()':\n"
                               "/b/arm/kernel.cpp:3:10: error: 'y' was not declared\n"
                               "    3 |   return y / 2;  // see /etc/motd\n"
                               "      |          ^\n",
                               {"/b/arm/kernel.cpp"}, kRoom),
            "kernel.cpp: In function 'int f()':\n"
            "kernel.cpp:3:10: error: 'y' was not declared\n"
            "    3 |   return y / 2;  // see /etc/motd\n"
            "      |          ^\n");
}

TEST(ReduceDiagnostics, ShowsErrorsWithTheirNotesAndLeavesWarningsOut) {
  const std::string log = reduce_diagnostics(
      "/k.cpp:1:1: warning: unused\n"
      "    1 | int a;\n"
      "/k.cpp:2:1: error: wrong\n"
      "/k.cpp:1:5: note: declared here\n",
      {"/k.cpp"}, kRoom);
  EXPECT_EQ(log, "k.cpp:2:1: error: wrong\nk.cpp:1:5: note: declared here\n");
  EXPECT_EQ(reduce_diagnostics("/k.cpp:1:1: warning: unused\n", {"/k.cpp"}, kRoom),
            "k.cpp:1:1: warning: unused\n");
}

TEST(ReduceDiagnostics, CutsWholeErrorsAndCountsThem) {
  std::string text;
  for (int i = 1; i <= 500; ++i) {
    text += "/k.cpp:" + std::to_string(i) + ":1: error: number " + std::to_string(i) + "\n";
  }
  const std::string log = reduce_diagnostics(text, {"/k.cpp"}, kRoom);
  EXPECT_LE(log.size(), kRoom);
  EXPECT_GT(log.size(), kRoom - 120);
  EXPECT_THAT(log, HasSubstr("k.cpp:1:1: error: number 1\n"));
  const auto shown = static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n')) - 1;
  EXPECT_THAT(log, HasSubstr("[" + std::to_string(500 - shown) + " more not shown]\n"));
}

TEST(ReduceDiagnostics, ClipsOneMessageThatIsTooLongByItself) {
  const std::string log = reduce_diagnostics(
      "/k.cpp:1:1: error: " + std::string(100'000, 'x') + "\n/k.cpp:2:1: error: two\n", {"/k.cpp"},
      kRoom);
  EXPECT_LE(log.size(), kRoom);
  EXPECT_THAT(log, HasSubstr("k.cpp:1:1: error: xxx"));
  EXPECT_THAT(log, HasSubstr("k.cpp:2:1: error: two\n"));
}

TEST(ReduceDiagnostics, WithholdsTextOfFilesThatTheKernelMayNotRead) {
  const std::string log = reduce_diagnostics(
      "In file included from /b/arm/kernel.cpp:1:\n"
      "/b/job.json:1:1: error: 'secret' does not name a type\n"
      "    1 | {\"seeds\": [secret]}\n"
      "/b/arm/kernel.cpp:9:1: error: visible\n"
      "    9 | also visible\n"
      "/b/job.json: In function 'secret':\n"
      "/b/job.json:2: Error: no such instruction: `secret'\n",
      {"/b/arm/kernel.cpp", "/usr/include"}, kRoom);
  EXPECT_THAT(log, Not(HasSubstr("secret")));
  EXPECT_THAT(log, HasSubstr("job.json: text withheld"));
  EXPECT_THAT(log, HasSubstr("kernel.cpp:9:1: error: visible\n    9 | also visible\n"));
}

TEST(ReduceDiagnostics, KeepsWhatALinkerSays) {
  const std::string log = reduce_diagnostics(
      "/usr/bin/ld: /tmp/ccX.o: in function `forge_launch':\n"
      "kernel.cpp:(.text+0x5): undefined reference to `missing()'\n"
      "collect2: error: ld returned 1 exit status\n",
      {"/b/arm/kernel.cpp"}, kRoom);
  EXPECT_EQ(log,
            "ld: ccX.o: in function `forge_launch':\n"
            "kernel.cpp:(.text+0x5): undefined reference to `missing()'\n"
            "collect2: error: ld returned 1 exit status\n");
}

TEST(ClassifyFailure, TellsTheMachinesFaultsFromTheKernels) {
  using enum CompilerFailure;
  const auto failure = [](std::string_view text) { return classify_failure(text); };
  EXPECT_EQ(failure("/k.cpp:1:1: error: no\n"), kKernel);
  EXPECT_EQ(failure("/usr/bin/ld: final link failed: No space left on device\n"), kDiskFull);
  EXPECT_EQ(failure("{standard input}: Fatal error: can't close k.o: No space left on device\n"),
            kDiskFull);
  EXPECT_EQ(
      failure("/k.cpp:9:1: fatal error: error writing to /tmp/a.s: No space left on device\n"),
      kDiskFull);
  EXPECT_EQ(failure("Cannot create temporary file in /tmp/: Read-only file system\n"),
            kReadOnlyDisk);
  EXPECT_EQ(failure("cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n"),
            kTooMuchMemory);
  EXPECT_EQ(failure("/usr/bin/ld: final link failed: File too large\n"), kTooLarge);
  EXPECT_EQ(failure("g++: fatal error: Killed signal terminated program cc1plus\n"), kKilled);
}

TEST(ClassifyFailure, AnAuthorsOwnWordsDoNotCount) {
  for (const char* text :
       {"/k.cpp:1:2: error: #error No space left on device\n",
        "/k.cpp:1:15: error: static assertion failed: cc1plus: out of memory\n",
        "    1 | // g++: fatal error: Killed signal terminated program cc1plus\n"}) {
    EXPECT_EQ(classify_failure(text), CompilerFailure::kKernel) << text;
  }
}

TEST(LiesWithin, ComparesWholePartsOfNormalPaths) {
  EXPECT_TRUE(lies_within_any("/a/b/c.h", {"/a/b"}));
  EXPECT_TRUE(lies_within_any("/a/b/c.h", {"/a/b/"}));
  EXPECT_TRUE(lies_within_any("/a/b/c.h", {"/x", "/a/b/c.h"}));
  EXPECT_FALSE(lies_within_any("/a/bc/c.h", {"/a/b"}));
  EXPECT_FALSE(lies_within_any("/a/b/../c.h", {"/a/b"}));
  EXPECT_FALSE(lies_within_any("/a", {"/a/b"}));
}

TEST(ParseDependencies, ReadsContinuedLinesAndQuotedNames) {
  EXPECT_THAT(parse_dependencies("kernel.so: /a/k.cpp b.h \\\n /c\\ d/e.h $$f\\#.h\n"),
              ElementsAre("/a/k.cpp", "b.h", "/c d/e.h", "$f#.h"));
  EXPECT_TRUE(parse_dependencies("").empty());
}

TEST(ParseIncludeFolders, ReadsBothLists) {
  EXPECT_THAT(parse_include_folders("noise\n#include \"...\" search starts here:\n /q\n"
                                    "#include <...> search starts here:\n /usr/lib/x/../include\n"
                                    " /usr/include\nEnd of search list.\n /no\n"),
              ElementsAre("/q", "/usr/lib/include", "/usr/include"));
}

}  // namespace
}  // namespace forge
