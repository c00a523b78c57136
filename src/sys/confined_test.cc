#include "sys/confined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/text.h"
#include "sys/fs.h"
#include "temporary_directory.h"
#include "witness.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

const std::vector<Path> kPrograms = {"/usr/bin", "/bin",     "/lib",
                                     "/lib64",   "/usr/lib", "/usr/lib64"};

// Folders that anybody may use, so that an ordinary user can be tried too.
class Confined : public testing::Test {
 protected:
  Confined() {
    std::filesystem::permissions(directory_.path(), std::filesystem::perms::all);
    for (const char* folder : {"allowed", "secret", "work"}) {
      std::filesystem::create_directory(at(folder));
      std::filesystem::permissions(at(folder), std::filesystem::perms::all);
    }
    std::ofstream(at("allowed/text")) << "readable\n";
    std::ofstream(at("secret/text")) << "sealed\n";
  }

  Path at(const std::string& name) const { return directory_.path() / name; }

  ProcessSpec shell(const std::string& script) const {
    ProcessSpec spec;
    spec.argv = {"sh", "-c", script};
    spec.working_directory = at("work");
    spec.limits.wall = std::chrono::seconds(60);  // so that no mistake hangs the test
    spec.confinement.emplace();
    spec.confinement->readable = kPrograms;
    spec.confinement->readable.push_back(at("allowed"));
    spec.confinement->readable.push_back("/dev/null");
    spec.confinement->writable = {at("work")};
    return spec;
  }

  static ProcessResult run(const ProcessSpec& spec) {
    auto result = make_real_process_runner()->run(spec);
    EXPECT_TRUE(result.has_value()) << result.error().message();
    return result ? *result : ProcessResult();
  }

  static std::string said(const ProcessSpec& spec) {
    const ProcessResult result = run(spec);
    return result.standard_output + result.standard_error;
  }

  // Runs `body` in a process of its own; true if it said so.
  static bool in_a_process(const std::function<bool()>& body) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(body() ? 0 : 1);
    int status = 0;
    return ::waitpid(pid, &status, 0) == pid && status == 0;
  }

  TemporaryDirectory directory_;
};

TEST_F(Confined, ReadsWhatItWasGivenAndNothingElse) {
  EXPECT_EQ(said(shell("cat " + at("allowed/text").string())), "readable\n");
  EXPECT_THAT(said(shell("cat " + at("secret/text").string())), HasSubstr("Permission denied"));
  EXPECT_THAT(said(shell("cat ../secret/text")), HasSubstr("Permission denied"));
  EXPECT_THAT(said(shell("ln -s ../secret/text link; cat link")), Not(HasSubstr("sealed")));
  EXPECT_THAT(said(shell("ls /")), HasSubstr("Permission denied"));
  EXPECT_THAT(said(shell("cat /proc/self/environ")), HasSubstr("Permission denied"));
}

TEST_F(Confined, WritesItsOwnFoldersAndNothingElse) {
  EXPECT_EQ(said(shell("echo made > here && cat here && mkdir d && mv here d/ && rm -r d")),
            "made\n");
  const std::string elsewhere = at("allowed/text").string();
  EXPECT_THAT(said(shell("echo changed > " + elsewhere)), HasSubstr("Permission denied"));
  EXPECT_THAT(said(shell("rm -f " + elsewhere)), HasSubstr("Permission denied"));
  EXPECT_THAT(said(shell("echo x > /tmp/forge-confined")), HasSubstr("Permission denied"));
}

TEST_F(Confined, HasNoNetworkNoSignalsAndNoNewSession) {
  const std::string python =
      "/usr/bin/python3 -I -c 'import os,socket\n"
      "for name, act in [(\"socket\", lambda: socket.socket()),\n"
      "                  (\"kill\", lambda: os.kill(os.getppid(), 0)),\n"
      "                  (\"session\", os.setsid), (\"group\", lambda: os.setpgid(0, 0))]:\n"
      "  try: act(); print(name, \"was allowed\")\n"
      "  except PermissionError: print(name, \"was refused\")'";
  const std::string text = said(shell(python));
  for (const char* name : {"socket", "kill", "session", "group"}) {
    EXPECT_THAT(text, HasSubstr(std::string(name) + " was refused"));
  }
}

TEST_F(Confined, KeepsItsProcessNumberExitCodeAndSignals) {
  EXPECT_EQ(run(shell("exit 7")).describe_end(), "exited with 7");
  EXPECT_EQ(run(shell("ulimit -c 0; ulimit -t 1; while :; do :; done")).describe_end(),
            "was killed by SIGKILL");
  auto child = make_real_process_runner()->start(shell("echo $$; sleep 1000"));
  ASSERT_TRUE(child.has_value());
  while ((*child)->output_so_far().empty()) {
    const auto ended = (*child)->wait(std::chrono::milliseconds(5));
    ASSERT_TRUE(ended && !*ended);
  }
  EXPECT_EQ(trim((*child)->output_so_far()), std::to_string((*child)->pid()));
}

TEST_F(Confined, AProgramThatCannotBeStartedSaysSo) {
  ProcessSpec spec = shell("");
  spec.argv = {"no-such-program"};
  const auto result = make_real_process_runner()->run(spec);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().cause, "it is not in PATH");

  std::ofstream(at("secret/interpreted")) << "#!" << at("secret/interpreter").string() << "\n";
  std::filesystem::permissions(at("secret/interpreted"), std::filesystem::perms::all);
  spec.argv = {at("secret/interpreted").string()};
  const ProcessResult unable = run(spec);
  EXPECT_EQ(unable.describe_end(), "exited with 127");
  EXPECT_THAT(unable.standard_error, HasSubstr("cannot start " + spec.argv[0]));
}

// A compiler is often a script in a folder of its own that calls the real one.
TEST_F(Confined, AProgramIsReadableByItselfWhereverPathNamesIt) {
  std::ofstream(at("secret/tool")) << "#!/bin/sh\necho started; cat " << at("secret/text").string();
  std::filesystem::permissions(at("secret/tool"), std::filesystem::perms::all);
  ProcessSpec spec = shell("");
  spec.argv = {"tool"};
  spec.environment = {{"PATH", at("secret").string() + ":/usr/bin:/bin"}};
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.standard_output, "started\n");
  EXPECT_THAT(result.standard_error, HasSubstr("Permission denied"));
}

TEST_F(Confined, TooManyProcessesEndTheWholeTreeWithAReason) {
  ProcessSpec spec = shell("while :; do sleep 1000 & done");
  spec.confinement->processes = 20;
  const ProcessResult result = run(spec);
  EXPECT_EQ(passed_limit(result), "too many processes");
  EXPECT_EQ(result.describe_end(), "was killed by SIGKILL");
}

TEST_F(Confined, TooMuchMemoryOfAllTogetherEndsTheWholeTreeWithAReason) {
  const std::string hoard =
      "/usr/bin/python3 -I -c 'import time; b = bytearray(60 << 20); time.sleep(1000)'";
  ProcessSpec spec = shell(hoard + " & " + hoard);
  spec.confinement->memory_bytes = 100 << 20;
  EXPECT_EQ(passed_limit(run(spec)), "too much memory");
}

TEST_F(Confined, AReasonThatTheProgramItselfPrintsIsNoLimit) {
  EXPECT_EQ(passed_limit(run(shell("echo 'forge-launcher: stopped: a lie' >&2"))), "");
}

TEST_F(Confined, TheWholeTreeDiesWithUsHoweverWeDie) {
  Witness witness(at("work/alive"));
  const pid_t owner = ::fork();
  if (owner == 0) {
    const auto child = make_real_process_runner()->start(
        shell(witness.hold() + "(sleep 1000 & sleep 1000) & echo x >&9; sleep 1000"));
    ::pause();
    ::_exit(child.has_value() ? 0 : 1);
  }
  ASSERT_TRUE(witness.wait_for_life());
  ::kill(owner, SIGKILL);
  ASSERT_EQ(::waitpid(owner, nullptr, 0), owner);
  EXPECT_TRUE(witness.wait_for_death());
}

TEST_F(Confined, NothingOfATreeIsLeftWhenItsLeaderEnds) {
  Witness witness(at("work/alive"));
  EXPECT_TRUE(run(shell(witness.hold() + "(sleep 1000 & sleep 1000) & echo x >&9")).succeeded());
  EXPECT_TRUE(witness.wait_for_death());
}

TEST_F(Confined, HoldsForAnOrdinaryUserToo) {
  if (::getuid() != 0) GTEST_SKIP() << "every other test of this file has just shown it";
  EXPECT_TRUE(in_a_process([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) return false;
    return said(shell("cat " + at("allowed/text").string())) == "readable\n" &&
           said(shell("cat " + at("secret/text").string())).find("sealed") == std::string::npos &&
           said(shell("echo made > own && cat own")) == "made\n";
  }));
}

TEST_F(Confined, NeedsNoUserNamespaces) {
  EXPECT_TRUE(in_a_process([&] {
    // Where this fails, there are none to begin with.
    if (::unshare(CLONE_NEWUSER) == 0) std::ofstream("/proc/sys/user/max_user_namespaces") << 0;
    if (::unshare(CLONE_NEWUSER) == 0) return false;
    return said(shell("cat " + at("allowed/text").string())) == "readable\n" &&
           said(shell("cat " + at("secret/text").string())).find("sealed") == std::string::npos;
  }));
}

TEST_F(Confined, EveryLayerIsTriedOut) {
  const auto processes = make_real_process_runner();
  const auto layers = confinement_layers(*processes);
  ASSERT_TRUE(layers) << layers.error().message();
  EXPECT_THAT(*layers, IsSupersetOf({"no-new-privileges", "capabilities", "seccomp"}));
}

}  // namespace
}  // namespace forge
