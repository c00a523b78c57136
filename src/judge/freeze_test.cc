#include "judge/freeze.h"

#include <gmock/gmock.h>

#include "sys/fs_fake.h"

namespace forge {
namespace {

void add_problem(FakeFs& fs) {
  fs.add_file("p/task.toml", "name = 'x'");
  fs.add_file("p/description.md", "what");
  fs.add_file("p/shapes.json", "{}");
  fs.add_file("p/hidden_shapes.json", "{}");
  fs.add_file("p/check/oracle.py", "def inputs(case): ...");
  fs.add_file("p/reference/r.py", "def run(): ...");
}

Digest digest_of_problem(FakeFs& fs) {
  const auto digest = judge_digest(fs, "p");
  EXPECT_TRUE(digest.has_value());
  return digest ? *digest : Digest{};
}

TEST(JudgeDigest, ChangesWithEveryJudgeFile) {
  FakeFs untouched;
  add_problem(untouched);
  const Digest frozen = digest_of_problem(untouched);
  for (const char* file : {"p/task.toml", "p/description.md", "p/shapes.json",
                           "p/hidden_shapes.json", "p/check/oracle.py", "p/check/more.py"}) {
    FakeFs fs;
    add_problem(fs);
    fs.add_file(file, "changed");
    EXPECT_NE(digest_of_problem(fs), frozen) << file;
  }
}

TEST(JudgeDigest, IgnoresEverythingElse) {
  FakeFs fs;
  add_problem(fs);
  const Digest frozen = digest_of_problem(fs);
  fs.add_file("p/reference/r.py", "changed");
  fs.add_file("p/start/kernel.cpp", "new");
  fs.add_file("p/check/__pycache__/oracle.cpython-311.pyc", "bytes");
  EXPECT_EQ(digest_of_problem(fs), frozen);
}

TEST(JudgeDigest, KnowsWhichFileHoldsWhat) {
  FakeFs a;
  add_problem(a);
  a.add_file("p/check/a", "1");
  a.add_file("p/check/b", "2");
  FakeFs b;
  add_problem(b);
  b.add_file("p/check/a", "2");
  b.add_file("p/check/b", "1");
  EXPECT_NE(digest_of_problem(a), digest_of_problem(b));
}

TEST(JudgeDigest, NeedsTheFilesThatEveryProblemHas) {
  FakeFs fs;
  fs.add_file("p/task.toml", "");
  EXPECT_FALSE(judge_digest(fs, "p").has_value());
}

}  // namespace
}  // namespace forge
