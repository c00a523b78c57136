#include "judge/oracle.h"

#include <gmock/gmock.h>

#include "base/dtype.h"
#include "judge/oracle_fixture.h"
#include "sys/conversation_fake.h"

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

double bf16(std::uint16_t bits) {
  return decode_element(Dtype::kBf16, reinterpret_cast<const std::byte*>(&bits));
}

constexpr const char* kPythonOracle = R"(
import torch
COMPARE = ["n"]
def groups():
    return {"typical": "values", "other": "more"}
def inputs(case):
    print("a line that must not be taken for an answer")
    rows, cols = case.dims["rows"], case.dims["cols"]
    x = torch.randn(rows, cols, generator=case.generator)
    k = torch.randint(cols, (rows,), generator=case.generator)
    return {"x": x.to(torch.bfloat16), "k": k.to(torch.int32)}
def reference(case, inputs):
    x = inputs["x"].double()
    return {"y": x * case.scalars["factor"], "n": (x > 0).sum(1)}
def compare(case, inputs, name, expected, actual):
    off = (expected - actual).abs().max().item()
    return off / 2, "off by %d" % off
)";

constexpr const char* kCppOracle = R"(
#include "forge/oracle.h"
using namespace forge::oracle;
Groups groups() { return {{"typical", "values"}, {"other", "more"}}; }
void inputs(Case& c) {
  std::printf("a line that must not be taken for an answer\n");
  View x = c.input("x");
  for (std::int64_t i = 0; i < x.elements(); ++i) x.flat(i) = c.random.normal();
  IntView k = c.input_integers("k");
  for (std::int64_t i = 0; i < k.size(0); ++i) k(i) = c.random.below(c.dim("cols"));
}
void reference(Case& c) {
  View x = c.input("x"), y = c.output("y");
  IntView n = c.output_integers("n");
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    n(i) = 0;
    for (std::int64_t j = 0; j < x.size(1); ++j) {
      y(i, j) = x(i, j) * c.scalar("factor");
      n(i) += x(i, j) > 0;
    }
  }
}
Verdict compare_n(Case&, const View& expected, const View& actual) {
  double off = 0;
  for (std::int64_t i = 0; i < expected.size(0); ++i) {
    off = std::max(off, std::abs(expected(i) - actual(i)));
  }
  return {off / 2, "off by " + std::to_string(static_cast<int>(off))};
}
FORGE_ORACLE_COMPARE("n", compare_n);
)";

class EitherOracle : public OracleFixture, public testing::WithParamInterface<bool> {
 protected:
  bool in_python() const { return GetParam(); }
  void SetUp() override {
    OracleFixture::SetUp();
    if (in_python()) {
      const auto python = find_torch_python(*processes_);
      if (!python) GTEST_SKIP() << "no PyTorch here: " << python.error().message();
      launch_.python = *python;
      set_problem("oracle.py", kPythonOracle);
    } else {
      set_problem("oracle.cpp", kCppOracle);
    }
  }
  std::unique_ptr<Oracle> started() {
    auto oracle = start();
    EXPECT_TRUE(oracle.has_value()) << oracle.error().message();
    return oracle ? std::move(*oracle) : nullptr;
  }
  CaseFiles made(Oracle& oracle, std::uint64_t seed, std::size_t group = 0) {
    auto files = oracle.make_case(instance(group), seed);
    EXPECT_TRUE(files.has_value()) << files.error().message();
    return files ? *files : CaseFiles{};
  }
};
INSTANTIATE_TEST_SUITE_P(Oracle, EitherOracle, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Python" : "Cpp"; });

TEST_P(EitherOracle, WritesInputsInTheirLayoutAndWhatFollowsFromThemAsQuantised) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  const CaseFiles files = made(*oracle, 1);
  const auto x = values<std::uint16_t>(input_file(files.folder, "x"));
  const auto y = values<float>(expected_file(files.folder, "y"));
  const auto n = values<std::int64_t>(expected_file(files.folder, "n"));
  ASSERT_EQ(x.size(), 39 * 4 + 3u);
  ASSERT_EQ(y.size(), 120u);
  ASSERT_EQ(n.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t positive = 0;
    for (std::size_t j = 0; j < 40; ++j) {
      EXPECT_EQ(y[i * 40 + j], bf16(x[i + 4 * j]) / 2);
      positive += bf16(x[i + 4 * j]) > 0 ? 1 : 0;
    }
    EXPECT_EQ(n[i], positive);
    EXPECT_GT(positive, 5);
  }
  // The gap after each column of 3 is filled with ones, which are NaN.
  EXPECT_EQ(x[3], 0xffff);
}

TEST_P(EitherOracle, SeedsGroupsAndShapesHaveCasesOfTheirOwnAndTheSameSeedTheSame) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  const auto first = values<std::uint16_t>(input_file(made(*oracle, 1).folder, "x"));
  EXPECT_NE(values<std::uint16_t>(input_file(made(*oracle, 2).folder, "x")), first);
  EXPECT_NE(values<std::uint16_t>(input_file(made(*oracle, 1, 1).folder, "x")), first);
  launch_.cache = folder_ / "another_cache";
  const auto again = started();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(values<std::uint16_t>(input_file(made(*again, 1).folder, "x")), first);
}

TEST_P(EitherOracle, ComparesItselfWhatItSaysAndNothingElse) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  EXPECT_THAT(oracle->custom_outputs(), ElementsAre("n"));
  const CaseFiles files = made(*oracle, 1);
  auto n = values<std::int64_t>(expected_file(files.folder, "n"));
  n[1] += 3;
  const Path actual = folder_ / "actual";
  write("actual/n.got",
        std::string_view(reinterpret_cast<const char*>(n.data()), n.size() * sizeof n[0]));
  const auto comparison = oracle->compare(files, instance(), "n", actual);
  ASSERT_TRUE(comparison.has_value()) << comparison.error().message();
  EXPECT_TRUE(comparison->decides);
  EXPECT_EQ(comparison->error, 1.5);
  EXPECT_EQ(comparison->detail, "off by 3");
  const auto standard = oracle->compare(files, instance(), "y", actual);
  ASSERT_TRUE(standard.has_value());
  EXPECT_FALSE(standard->decides);
}

TEST_P(EitherOracle, SaysWhatWouldFollowFromOtherInputs) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  const CaseFiles files = made(*oracle, 1);
  const Path folder = folder_ / "exchanged";
  ASSERT_TRUE(fs_->make_directories(folder));
  auto x = values<std::uint16_t>(input_file(files.folder, "x"));
  x[4] = 0x7fc0;  // row 0, column 1: NaN
  x[8] = 0x4040;  // row 0, column 2: 3
  write("exchanged/x.in",
        std::string_view(reinterpret_cast<const char*>(x.data()), x.size() * sizeof x[0]));
  ASSERT_TRUE(fs_->copy_tree(input_file(files.folder, "k"), input_file(folder, "k")));
  const Status expected = oracle->make_expected(instance(), 1, folder);
  ASSERT_TRUE(expected) << expected.error().message();
  const auto before = values<float>(expected_file(files.folder, "y"));
  const auto y = values<float>(expected_file(folder, "y"));
  ASSERT_EQ(y.size(), before.size());
  EXPECT_EQ(y[0], before[0]);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], 1.5f);
  EXPECT_EQ(y[41], before[41]);
}

TEST_P(EitherOracle, WithoutAnInputItSaysNothing) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  ASSERT_TRUE(fs_->make_directories(folder_ / "empty"));
  EXPECT_FALSE(oracle->make_expected(instance(), 1, folder_ / "empty"));
  EXPECT_FALSE(made(*oracle, 1).folder.empty()) << "it goes on answering";
}

TEST_P(EitherOracle, DescribesItself) {
  const auto oracle = started();
  ASSERT_NE(oracle, nullptr);
  EXPECT_THAT(oracle->describe(), HasSubstr(in_python() ? "PyTorch " : "C++, g++ "));
}

TEST_P(EitherOracle, StartsNoProcessForWhatTheCacheHolds) {
  const Path folder = made(*started(), 1).folder;
  FakeConversationStarter none([](std::string_view) { return std::string(); });
  auto oracle = start_oracle(launch_, *fs_, *processes_, none);
  ASSERT_TRUE(oracle.has_value()) << oracle.error().message();
  EXPECT_EQ(made(**oracle, 1).folder, folder);
  EXPECT_THAT((*oracle)->describe(), Not(testing::IsEmpty()));
  EXPECT_TRUE(none.started.empty());
}

TEST_P(EitherOracle, AChangedOracleHasNoOldCases) {
  const Path folder = made(*started(), 1).folder;
  set_problem(launch_.oracle.filename().string(),
              std::string(in_python() ? kPythonOracle : kCppOracle) + "\n");
  EXPECT_NE(made(*started(), 1).folder, folder);
}

TEST_P(EitherOracle, SeveralMakersShareACache) {
  const auto one = started();
  const auto two = started();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(two, nullptr);
  made(*two, 7);
  EXPECT_EQ(made(*one, 8).folder, made(*two, 8).folder);
  EXPECT_EQ(made(*one, 7).folder, made(*two, 7).folder);
}

TEST_P(EitherOracle, LeavesNothingUnfinishedBehindAndClearsWhatAKilledOneLeft) {
  write("cache/making/dead/0/x.in", "half");
  write("cache/making/dead.lock", "");
  made(*started(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "cache/making"));
}

// ---- Oracles that go wrong: one line says what they did.

class BrokenOracle : public OracleFixture {
 protected:
  void SetUp() override {
    OracleFixture::SetUp();
    const auto python = find_torch_python(*processes_);
    if (!python) GTEST_SKIP() << "no PyTorch here: " << python.error().message();
    launch_.python = *python;
  }
  // The Python oracle with one piece replaced by another.
  std::string failure_with(std::string_view piece, std::string_view by) {
    std::string oracle = kPythonOracle;
    const std::size_t at = oracle.find(piece);
    EXPECT_NE(at, std::string::npos);
    oracle.replace(at, piece.size(), by);
    set_problem("oracle.py", oracle);
    return failure();
  }
};

TEST_F(BrokenOracle, ThatRaisesIsQuotedWithItsLine) {
  EXPECT_THAT(failure_with("x = inputs[\"x\"].double()", "x = inputs[\"z\"]"),
              HasSubstr("oracle.py:13: KeyError: 'z'"));
}

TEST_F(BrokenOracle, ThatReturnsAWrongShapeDtypeOrNameIsToldWhich) {
  EXPECT_THAT(failure_with("\"n\": (x > 0).sum(1)", "\"n\": (x > 0).sum(0)"),
              HasSubstr("'n' of reference() has shape [40], the signature says [3]"));
  EXPECT_THAT(failure_with("x.to(torch.bfloat16)", "x"),
              HasSubstr("'x' of inputs() is torch.float32, the signature says torch.bfloat16"));
  EXPECT_THAT(failure_with("x * case.scalars", "x.half() * case.scalars"),
              HasSubstr("'y' of reference() is torch.float16, and must be torch.float64"));
  EXPECT_THAT(failure_with("\"n\": (x", "\"m\": (x"), HasSubstr("reference() gave no 'n'"));
  EXPECT_THAT(failure_with("return {\"y\"", "return 1, {\"y\""), HasSubstr("must return a dict"));
}

TEST_F(BrokenOracle, ThatLeavesTheLegalRangeIsToldTheRange) {
  EXPECT_THAT(failure_with("k.to(torch.int32)", "k.to(torch.int32) + 40"),
              HasSubstr("the signature allows 0 to 39"));
}

TEST_F(BrokenOracle, ThatGivesNanMustHaveSaidSo) {
  EXPECT_THAT(failure_with("x * case.scalars[\"factor\"]", "x * float('nan')"),
              HasSubstr("its output 'y' is NaN at [0, 0]"));
  EXPECT_EQ(failure_with("def groups():", "MAY_BE_NAN = ['y']\ndef groups():"), "");
}

TEST_F(BrokenOracle, ThatCrashesIsNamedWithItsSignal) {
  EXPECT_THAT(failure_with("x = inputs[\"x\"].double()", "import os; os.kill(os.getpid(), 11)"),
              HasSubstr("was killed by SIGSEGV before it answered"));
  EXPECT_THAT(failure_with("x = inputs[\"x\"].double()", "import sys; sys.exit('enough')"),
              AllOf(HasSubstr("exited with 1 before it answered"), HasSubstr("it said: enough")));
}

TEST_F(BrokenOracle, ThatDefinesTooLittleDoesNotStart) {
  EXPECT_THAT(failure_with("def reference", "def referee"), HasSubstr("it defines no reference()"));
  EXPECT_THAT(failure_with("import torch", "import torch as"), HasSubstr("SyntaxError"));
}

TEST_F(BrokenOracle, ThatKnowsNoSuchGroupIsNotAsked) {
  EXPECT_THAT(failure_with("\"typical\": \"values\"", "\"usual\": \"values\""),
              HasSubstr("it knows no group 'typical'"));
}

TEST_F(BrokenOracle, IsAskedAnewAfterACrash) {
  set_problem("oracle.py", std::string(kPythonOracle) + R"(
import os
working = reference
def reference(case, inputs):
    if case.seed == 13:
        os.abort()
    return working(case, inputs)
)");
  auto oracle = start();
  ASSERT_TRUE(oracle.has_value()) << oracle.error().message();
  EXPECT_FALSE((*oracle)->make_case(instance(), 13).has_value());
  EXPECT_TRUE((*oracle)->make_case(instance(), 14).has_value());
}

class BrokenCppOracle : public OracleFixture {};

TEST_F(BrokenCppOracle, ThatDoesNotCompileShowsTheFirstError) {
  set_problem("oracle.cpp", "#include \"forge/oracle.h\"\nint broken = nothing;\n");
  EXPECT_THAT(failure(), AllOf(HasSubstr("cannot compile the oracle"),
                               HasSubstr("'nothing' was not declared")));
}

TEST_F(BrokenCppOracle, ThatThrowsOrMisusesATensorIsQuoted) {
  std::string oracle = kCppOracle;
  const std::string fine = "View x = c.input(\"x\"), y";
  oracle.replace(oracle.find(fine), fine.size(), "View x = c.input(\"k\"), y");
  set_problem("oracle.cpp", oracle);
  EXPECT_THAT(failure(), HasSubstr("tensor 'k' is i32: use the functions for integers"));
}

TEST_F(BrokenCppOracle, ThatHangsIsKilledAtTheTimeLimit) {
  std::string oracle = kCppOracle;
  const std::string fine = "void reference(Case& c) {";
  oracle.replace(oracle.find(fine), fine.size(), fine + " while (c.seed == 13) usleep(1000);");
  set_problem("oracle.cpp", oracle);
  ASSERT_EQ(failure(), "");  // compiled now
  launch_.time_limit = std::chrono::milliseconds(500);
  auto started = start();
  ASSERT_TRUE(started.has_value());
  const auto files = (*started)->make_case(instance(), 13);
  ASSERT_FALSE(files.has_value());
  EXPECT_THAT(files.error().message(), HasSubstr("took longer than 0.5 s"));
}

TEST_F(BrokenCppOracle, ThatForgetsAnElementIsFound) {
  std::string oracle = kCppOracle;
  const std::string fine = "y(i, j) = x(i, j) * c.scalar(\"factor\");";
  oracle.replace(oracle.find(fine), fine.size(), "if (i != 2) " + fine);
  set_problem("oracle.cpp", oracle);
  EXPECT_THAT(failure(), HasSubstr("its output 'y' is NaN at [2, 0]"));
}

// ---- Processes that do not keep to the protocol.

class Scripted : public OracleFixture {
 protected:
  void SetUp() override {
    OracleFixture::SetUp();
    launch_.python = "python3";
    set_problem("oracle.py", "");
  }
  std::string failure_of(const FakeConversation::Script& script) {
    FakeConversationStarter conversations(script);
    auto oracle = start_oracle(launch_, *fs_, *processes_, conversations);
    if (!oracle) return oracle.error().message();
    const auto files = (*oracle)->make_case(instance(), 1);
    return files ? "" : files.error().message();
  }
  // Greets, then answers each request with `answer` after `effect` on the case's folder.
  std::string failure_after_greeting(const std::string& answer,
                                     const std::function<void(Path)>& effect = nullptr) {
    return failure_of([=](std::string_view sent) -> std::string {
      if (sent.empty()) return "forge-oracle 2\ndescribe a script\nready\n";
      const std::size_t begin = sent.find("folder ") + 7;
      if (effect) effect(std::string(sent.substr(begin, sent.find('\n', begin) - begin)));
      return answer;
    });
  }
};

TEST_F(Scripted, GarbageInsteadOfAGreeting) {
  EXPECT_THAT(failure_of([](std::string_view) { return "Welcome!\n"; }),
              AllOf(HasSubstr("cannot start the oracle"), HasSubstr("begins with 'Welcome!'")));
}

TEST_F(Scripted, GarbageInsteadOfAnAnswer) {
  EXPECT_THAT(failure_after_greeting("0.5\x01 done\n"), HasSubstr("neither 'ok' nor 'error'"));
}

TEST_F(Scripted, SilenceUntilTheTimeLimit) {
  EXPECT_THAT(failure_after_greeting(""), HasSubstr("took longer than its time limit"));
  EXPECT_THAT(failure_of([](std::string_view) { return ""; }), HasSubstr("took longer"));
}

TEST_F(Scripted, MissingAndMisshapenFiles) {
  EXPECT_THAT(failure_after_greeting("ok\n"), HasSubstr("it wrote no input 'x'"));
  EXPECT_THAT(failure_after_greeting(
                  "ok\n", [](const Path& folder) { std::ofstream(folder / "x.in") << "short"; }),
              HasSubstr("it wrote 5 bytes of input 'x' and should have written 318"));
  EXPECT_THAT(failure_after_greeting("ok\n",
                                     [](const Path& folder) {
                                       std::ofstream(folder / "x.in") << std::string(318, 'x');
                                       std::ofstream(folder / "k.in") << std::string(12, '\0');
                                       std::ofstream(folder / "y.out") << std::string(480, 'x');
                                     }),
              HasSubstr("it wrote no output 'n'"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "cache/making"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache/cases"));
}

TEST_F(Scripted, IntegersOutsideTheirRangeAreRefusedWhateverTheOracleChecks) {
  EXPECT_THAT(failure_after_greeting("ok\n",
                                     [](const Path& folder) {
                                       std::ofstream(folder / "x.in") << std::string(318, 'x');
                                       std::ofstream(folder / "k.in") << std::string(12, '\xff');
                                     }),
              HasSubstr("its input 'k' holds -1 at [0], and the signature allows 0 to 39"));
}

}  // namespace
}  // namespace forge
