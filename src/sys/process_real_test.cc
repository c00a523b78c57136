#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/text.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "sys/unique_fd.h"
#include "temporary_directory.h"
#include "witness.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

ProcessSpec shell(std::string script) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", std::move(script)};
  spec.limits.wall = seconds(60);  // so that no mistake hangs the test
  return spec;
}

ProcessResult run(const ProcessSpec& spec) {
  auto result = make_real_process_runner()->run(spec);
  EXPECT_TRUE(result.has_value()) << result.error().message();
  return result ? *result : ProcessResult();
}

TEST(RealProcess, PassesArgumentsInputAndOutputThrough) {
  ProcessSpec spec = shell("printf '%s|' \"$@\"; cat; echo problem >&2; exit 3");
  spec.argv.insert(spec.argv.end(), {"sh", "a b", "", "$c"});
  spec.standard_input = "from us";
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.standard_output, "a b||$c|from us");
  EXPECT_EQ(result.standard_error, "problem\n");
  EXPECT_EQ(result.describe_end(), "exited with 3");
  EXPECT_FALSE(result.succeeded());
  EXPECT_TRUE(run(shell("true")).succeeded());
}

TEST(RealProcess, WithoutInputTheProgramReadsAnEmptyFile) {
  EXPECT_EQ(run(shell("cat; echo end")).standard_output, "end\n");
}

TEST(RealProcess, ALargeInputThatIsNotReadCostsNothing) {
  ProcessSpec spec = shell("exit 0");
  spec.standard_input = std::string(4 << 20, 'x');
  EXPECT_TRUE(run(spec).succeeded());
  spec.argv[2] = "wc -c";
  EXPECT_EQ(trim(run(spec).standard_output), "4194304");
}

TEST(RealProcess, EndsBySignalsAreNamed) {
  EXPECT_EQ(run(shell("kill -SEGV $$")).describe_end(), "was killed by SIGSEGV");
  EXPECT_EQ(run(shell("kill -KILL $$")).describe_end(), "was killed by SIGKILL");
}

TEST(RealProcess, AProgramThatTakesTooLongIsKilledAndSaidToHaveTimedOut) {
  ProcessSpec spec = shell("echo before; exec sleep 1000");
  spec.limits.wall = milliseconds(100);
  const ProcessResult result = run(spec);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(result.end));
  EXPECT_EQ(result.describe_end(), "took longer than 0.1 s");
}

TEST(RealProcess, OutputBeyondTheLimitIsDroppedAndTheProgramStillEnds) {
  ProcessSpec spec = shell("head -c 20000000 /dev/zero; echo whole >&2");
  spec.limits.captured_output_bytes = 1000;
  const ProcessResult result = run(spec);
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.standard_output.size(), 1000u);
  EXPECT_EQ(result.standard_error, "whole\n");
  EXPECT_TRUE(result.output_was_cut);
  EXPECT_FALSE(run(shell("echo x")).output_was_cut);
}

TEST(RealProcess, AnEndlessFloodOfOutputIsStoppedByTheTimeLimit) {
  ProcessSpec spec = shell("exec yes");
  spec.limits.wall = milliseconds(200);
  spec.limits.captured_output_bytes = 10;
  const ProcessResult result = run(spec);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(result.end));
  EXPECT_EQ(result.standard_output.size(), 10u);
}

TEST(RealProcess, ChildrenLeftBehindAreKilledWhenTheProgramEnds) {
  const TemporaryDirectory directory;
  Witness witness(directory.path() / "witness");
  // The child holds our outputs too, which must not make us wait for it.
  const ProcessResult result = run(shell(witness.hold() + "sleep 1000 & echo x >&9; exit 0"));
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(witness.wait_for_death());
}

TEST(RealProcess, ChildrenOfAProgramThatTimesOutAreKilledToo) {
  const TemporaryDirectory directory;
  Witness witness(directory.path() / "witness");
  ProcessSpec spec = shell(witness.hold() + "sleep 1000 & sleep 1000");
  spec.limits.wall = milliseconds(100);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(run(spec).end));
  EXPECT_TRUE(witness.wait_for_death());
}

TEST(RealProcess, DestroyingAChildKillsItsGroup) {
  const TemporaryDirectory directory;
  Witness witness(directory.path() / "witness");
  auto child = make_real_process_runner()->start(
      shell(witness.hold() + "sleep 1000 & echo x >&9; sleep 1000"));
  ASSERT_TRUE(child.has_value());
  ASSERT_TRUE(witness.wait_for_life());
  child->reset();
  EXPECT_TRUE(witness.wait_for_death());
}

TEST(RealProcess, AChildDiesWithItsParent) {
  const TemporaryDirectory directory;
  Witness witness(directory.path() / "witness");
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto child =
        make_real_process_runner()->start(shell(witness.hold() + "echo x >&9; exec sleep 1000"));
    ::pause();
    ::_exit(child.has_value() ? 0 : 1);
  }
  ASSERT_TRUE(witness.wait_for_life());
  ::kill(parent, SIGKILL);
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(witness.wait_for_death());
}

TEST(RealProcess, AChildCanBeWaitedForInPiecesAndKeepsItsResult) {
  auto child = make_real_process_runner()->start(shell("echo out; exec sleep 1000"));
  ASSERT_TRUE(child.has_value());
  EXPECT_GT((*child)->pid(), 0);
  const auto running = (*child)->wait(milliseconds(20));
  ASSERT_TRUE(running.has_value());
  EXPECT_FALSE(running->has_value());
  EXPECT_FALSE((*child)->wait(milliseconds(0))->has_value());
  (*child)->kill_group();
  for (int again = 0; again < 2; ++again) {
    const auto ended = (*child)->wait(seconds(60));
    ASSERT_TRUE(ended.has_value() && ended->has_value());
    EXPECT_EQ((*ended)->describe_end(), "was killed by SIGKILL");
  }
}

TEST(RealProcess, TheTimeLimitOfAStartedChildHoldsInWaitToo) {
  ProcessSpec spec = shell("exec sleep 1000");
  spec.limits.wall = milliseconds(50);
  auto child = make_real_process_runner()->start(spec);
  ASSERT_TRUE(child.has_value());
  const auto ended = (*child)->wait(seconds(60));
  ASSERT_TRUE(ended.has_value() && ended->has_value());
  EXPECT_TRUE(std::holds_alternative<TimedOut>((*ended)->end));
}

TEST(RealProcess, OnlyTheStandardDescriptorsAreInherited) {
  const UniqueFd inherited(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  ASSERT_TRUE(inherited.valid());
  const ProcessResult probe =
      run(shell("readlink /proc/$$/fd/" + std::to_string(inherited.get()) + " || echo closed"));
  EXPECT_EQ(probe.standard_output, "closed\n");
}

TEST(RealProcess, RunningLeavesNoDescriptorOpenAndNoZombie) {
  const auto fs = make_real_fs();
  const auto open_descriptors = [&] { return fs->list("/proc/self/fd")->size(); };
  const auto before = open_descriptors();
  ProcessSpec late = shell("exec sleep 1000");
  late.limits.wall = milliseconds(10);
  ProcessSpec missing;
  missing.argv = {"/nonexistent/program"};
  run(shell("true"));
  run(late);
  EXPECT_FALSE(make_real_process_runner()->run(missing).has_value());
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(RealProcess, AProgramThatCannotBeStartedIsAnErrorThatSaysWhy) {
  const auto error_of = [](std::vector<std::string> argv, Path directory = "") {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.working_directory = std::move(directory);
    const auto result = make_real_process_runner()->run(spec);
    return result ? "started" : result.error().message();
  };
  EXPECT_EQ(error_of({"no-such-program"}),
            "cannot start no-such-program: it is not in PATH; install it or add its folder to "
            "PATH");
  EXPECT_EQ(error_of({"/no/such"}), "cannot start /no/such: there is no such file or directory");
  EXPECT_THAT(error_of({"/"}), HasSubstr("permission denied"));
  EXPECT_THAT(error_of({"true"}, "/no/such"),
              HasSubstr("cannot enter the working directory of true"));
}

TEST(RealProcess, AFileThatIsNoProgramIsSaidToBeNone) {
  const TemporaryDirectory directory;
  const Path path = directory.path() / "text";
  const auto fs = make_real_fs();
  ASSERT_TRUE(fs->write_atomic(path, "just text").has_value());
  ASSERT_TRUE(fs->set_permissions(path, 0755).has_value());
  ProcessSpec spec;
  spec.argv = {path.string()};
  const auto result = make_real_process_runner()->run(spec);
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message(), HasSubstr("it is not an executable program"));
}

TEST(RealProcess, TheEnvironmentIsInheritedWithChangesOrGivenWhole) {
  ::setenv("FORGE_TEST_A", "ours", 1);
  ::setenv("FORGE_TEST_B", "ours", 1);
  ProcessSpec spec = shell("echo \"$FORGE_TEST_A,$FORGE_TEST_B\"");
  spec.environment = {{"FORGE_TEST_B", "theirs"}};
  EXPECT_EQ(run(spec).standard_output, "ours,theirs\n");
  spec.environment_mode = EnvironmentMode::kOnlyGiven;
  EXPECT_EQ(run(spec).standard_output, ",theirs\n");
  ProcessSpec all;
  all.argv = {"env"};
  all.environment_mode = EnvironmentMode::kOnlyGiven;
  all.environment = {{"ONLY", "this"}};
  EXPECT_EQ(run(all).standard_output, "ONLY=this\n");
  ::unsetenv("FORGE_TEST_A");
  ::unsetenv("FORGE_TEST_B");
}

TEST(RealProcess, ProgramsAreLookedUpInTheGivenPath) {
  const TemporaryDirectory directory;
  const auto fs = make_real_fs();
  ASSERT_TRUE(fs->write_atomic(directory.path() / "tool", "#!/bin/sh\necho found\n").has_value());
  ASSERT_TRUE(fs->set_permissions(directory.path() / "tool", 0755).has_value());
  ProcessSpec spec;
  spec.argv = {"tool"};
  spec.environment = {{"PATH", "/nonexistent:" + directory.path().string()}};
  EXPECT_EQ(run(spec).standard_output, "found\n");
}

TEST(RealProcess, RunsInTheGivenDirectory) {
  const TemporaryDirectory directory;
  ProcessSpec spec = shell("pwd -P");
  spec.working_directory = directory.path();
  EXPECT_EQ(trim(run(spec).standard_output), std::filesystem::canonical(directory.path()).string());
}

TEST(RealProcess, LimitsOfMemoryAndFileSizeHold) {
  ProcessSpec spec = shell("ulimit -v; ulimit -f; ulimit -c");
  spec.limits.address_space_bytes = 1 << 30;
  spec.limits.file_size_bytes = 1 << 20;
  EXPECT_THAT(split_lines(run(spec).standard_output), ElementsAre("1048576", "2048", "0"));
  const TemporaryDirectory directory;
  spec.argv[2] = "exec head -c 5000000 /dev/zero > " + (directory.path() / "big").string();
  EXPECT_EQ(run(spec).describe_end(), "was killed by SIGXFSZ");
  EXPECT_EQ(std::filesystem::file_size(directory.path() / "big"), 1u << 20);
}

TEST(RealProcess, TheProgramStartsWithDefaultSignalsWhateverWeIgnore) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const ProcessResult result = run(shell("grep -E '^Sig(Blk|Ign):' /proc/self/status"));
  ::signal(SIGPIPE, before);
  EXPECT_EQ(result.standard_output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(RealProcess, EachProcessLeadsItsOwnGroup) {
  const ProcessResult result =
      run(shell("read -r a b c d group rest < /proc/$$/stat; "
                "[ $group = $$ ] && echo leader"));
  EXPECT_EQ(result.standard_output, "leader\n");
}

}  // namespace
}  // namespace forge
