// Full disks, read-only disks and missing tools: one line that says what to do, and when that was
// done the same run goes on with nothing lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "program_rig.h"
#include "run/paths.h"

namespace forge {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_goes_on_to_its_end(ProgramRig& rig, const Path& run, const std::string& before) {
  const auto end = rig.forge({"run", run.string()});
  EXPECT_THAT(exit_code(end), AnyOf(0, 2)) << end.standard_error;
  EXPECT_THAT(rig.journal_text(run), StartsWith(before)) << "events were lost";
  expect_whole_and_finished(rig.journal(run));
}

void expect_goes_on(ProgramRig& rig, const Path& run) {
  const auto before = rig.journal_text(run);
  const auto driver = rig.start({"run", run.string()});
  EXPECT_TRUE(rig.wait_for_events(run, rig.journal(run).entries.size() + 1, *driver));
  driver->kill_group();
  EXPECT_THAT(rig.journal_text(run), StartsWith(before)) << "events were lost";
}

// A small disk of the test's own, mounted where nobody else sees it.
class Disk {
 public:
  // False where the kernel or a sandbox does not let us mount.
  static bool is_possible() {
    static const bool possible = enter_own_mounts();
    return possible;
  }

  Disk(Fs& fs, Path at) : fs_(fs), at_(std::move(at)) {
    EXPECT_TRUE(fs_.make_directories(at_));
    EXPECT_EQ(mount("tmpfs", at_.c_str(), "tmpfs", 0, "size=16m"), 0);
  }
  ~Disk() { umount2(at_.c_str(), MNT_DETACH); }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  void fill() {
    const auto file = fs_.open_append(filler());
    ASSERT_TRUE(file) << file.error().message();
    std::string chunk(1 << 20, 'x');
    while (!chunk.empty()) {
      if (!(*file)->append(chunk)) chunk.resize(chunk.size() / 2);
    }
  }
  void free() { ASSERT_TRUE(fs_.remove_all(filler())); }
  void make_read_only() { remount(MS_RDONLY); }
  void make_writable() { remount(0); }

 private:
  static bool enter_own_mounts() {
    const auto user = std::to_string(geteuid());
    const auto group = std::to_string(getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    const auto put = [](const char* file, const std::string& text) {
      return static_cast<bool>(std::ofstream(file) << text << std::flush);
    };
    return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", "0 " + user + " 1") &&
           put("/proc/self/gid_map", "0 " + group + " 1") &&
           mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }

  void remount(unsigned long flags) {
    EXPECT_EQ(mount("tmpfs", at_.c_str(), "tmpfs", MS_REMOUNT | flags, "size=16m"), 0);
  }

  Path filler() const { return at_ / "filler"; }

  Fs& fs_;
  Path at_;
};

class HostileDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (!Disk::is_possible()) GTEST_SKIP() << "this host does not let users mount in a namespace";
  }
};

TEST_F(HostileDisk, FullUnderTheRunsStopsARunInOneLineAndLosesNothing) {
  ProgramRig rig(CacheKind::kShared);
  Disk disk(rig.fs(), rig.artifacts());
  disk.fill();
  expect_one_line_error(rig.forge({"new", "saxpy"}),
                        {"forge new: ", ".artifacts/", "the disk is full", "free some space"});
  EXPECT_THAT(rig.forge({"status"}).standard_output, HasSubstr("no runs"));
  disk.free();
  const Path run = rig.new_run();
  disk.fill();
  const auto untouched = rig.journal_text(run);
  expect_one_line_error(rig.forge({"run", run.string()}),
                        {"forge run: ", run.filename().string(), "the disk is full"});
  EXPECT_EQ(rig.journal_text(run), untouched);

  disk.free();
  constexpr std::size_t kFirstRound = 7;
  const auto driver = rig.start({"run", run.string()});
  ASSERT_TRUE(rig.wait_for_events(run, kFirstRound, *driver));
  disk.fill();
  const auto end = driver->wait(std::chrono::seconds(60));
  ASSERT_TRUE(end && *end) << "it did not stop";
  EXPECT_THAT((*end)->standard_error, HasSubstr("the disk is full"));
  EXPECT_EQ(exit_code(**end), 1) << (*end)->standard_error;
  const auto before = rig.journal_text(run);
  disk.free();
  expect_goes_on_to_its_end(rig, run, before.substr(0, before.rfind('\n') + 1));
  EXPECT_THAT(rig.processes_left(), testing::IsEmpty());
}

TEST_F(HostileDisk, ReadOnlyUnderTheRunsIsOneLineAndTheRunCanStillBeLookedAt) {
  ProgramRig rig(CacheKind::kShared);
  Disk disk(rig.fs(), rig.artifacts());
  const Path run = rig.new_run();
  disk.make_read_only();
  expect_one_line_error(rig.forge({"new", "saxpy"}), {"forge new: ", "read-only", "make it"});
  expect_one_line_error(rig.forge({"run", run.string()}), {"forge run: ", "read-only", "make it"});
  EXPECT_THAT(rig.forge({"status"}).standard_output, HasSubstr(run.filename().string()));
  EXPECT_EQ(exit_code(rig.forge({"show", run.string()})), 0);
  disk.make_writable();
  expect_goes_on(rig, run);
}

// The cache is where cases are made and kernels compiled.
TEST_F(HostileDisk, FullOrReadOnlyUnderTheCacheStopsRunAndJudgeInOneLine) {
  ProgramRig rig(CacheKind::kOwn);
  Disk disk(rig.fs(), rig.cache());
  const Path run = rig.new_run();
  const std::string kernel = (rig.task() / "start/kernel.cpp").string();
  disk.fill();
  const auto cache = rig.cache().string();
  expect_one_line_error(rig.forge({"run", run.string()}), {"forge run: ", cache, "full", "free"});
  expect_one_line_error(rig.forge({"judge", "saxpy", kernel}), {"forge judge: ", cache, "full"});
  disk.free();
  disk.make_read_only();
  expect_one_line_error(rig.forge({"run", run.string()}), {"forge run: ", cache, "read-only"});
  expect_one_line_error(rig.forge({"judge", "saxpy", kernel}), {"forge judge: ", cache});
  disk.make_writable();

  // It fills up while a round is judged: that is no verdict on anyone, so the run stops.
  constexpr std::size_t kFirstRound = 7;
  const auto driver = rig.start({"run", run.string()});
  ASSERT_TRUE(rig.wait_for_events(run, kFirstRound, *driver));
  disk.fill();
  const auto end = driver->wait(std::chrono::seconds(60));
  ASSERT_TRUE(end && *end) << "it did not stop";
  EXPECT_EQ(exit_code(**end), 1) << (*end)->standard_output << (*end)->standard_error;
  disk.free();
  expect_goes_on_to_its_end(rig, run, rig.journal_text(run));
}

TEST(HostileHost, WhoeverWaitsForTheTimingCpusIsToldWhoHoldsThemAndCanStop) {
  ProgramRig rig(CacheKind::kShared);
  const Path run = rig.new_run();
  ASSERT_TRUE(rig.fs().make_directories(rig.folder() / "lease"));
  const auto lease =
      rig.fs().try_lock(rig.folder() / "lease/timing-cpus.lock", "somebody, process 4711");
  ASSERT_TRUE(lease) << lease.error().message();
  const std::string kernel = (rig.task() / "start/kernel.cpp").string();
  for (const auto& arguments : {std::vector<std::string>{"run", run.string()},
                                std::vector<std::string>{"judge", "saxpy", kernel}}) {
    const auto waiting = rig.start(arguments);
    const auto ended = waiting->wait(std::chrono::seconds(2));
    ASSERT_TRUE(ended && !*ended) << "it did not wait";
    ASSERT_EQ(kill(waiting->pid(), SIGINT), 0);
    const auto end = waiting->wait(std::chrono::seconds(10));
    ASSERT_TRUE(end && *end) << "it did not stop";
    EXPECT_EQ(exit_code(**end), 130);
    EXPECT_THAT((*end)->standard_output + (*end)->standard_error,
                HasSubstr("it is held by somebody, process 4711"));
  }
  EXPECT_THAT(rig.processes_left(), testing::IsEmpty());
}

// A PATH with these programs only.
std::string only(ProgramRig& rig, const std::vector<std::string>& programs) {
  const Path folder = rig.folder() / "bin";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& program : programs) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder / program);
  }
  return folder.string();
}

TEST(HostileHost, AMissingCompilerIsOneLineAndTheRunGoesOnWhenItIsThere) {
  ProgramRig rig(CacheKind::kShared);
  const Path run = rig.new_run();
  const std::string kernel = (rig.task() / "start/kernel.cpp").string();
  const Environment no_compiler = {{"PATH", only(rig, {"git"})}};
  const Environment wrong = {{"FK_CXX", "/nonexistent/g++"}};
  for (const auto& arguments : {std::vector<std::string>{"run", run.string()},
                                std::vector<std::string>{"judge", "saxpy", kernel}}) {
    expect_one_line_error(rig.forge(arguments, no_compiler), {"C++ compiler", "apt-get install"});
    expect_one_line_error(rig.forge(arguments, wrong), {"FK_CXX", "/nonexistent/g++"});
  }
  expect_goes_on(rig, run);
}

TEST(HostileHost, AMissingGitIsOneLineAndTheRunGoesOnWhenItIsThere) {
  ProgramRig rig(CacheKind::kShared);
  const Path run = rig.new_run();
  const Environment no_git = {{"PATH", only(rig, {"g++", "c++", "as", "ld"})}};
  const auto before = rig.journal_text(run);
  expect_one_line_error(rig.forge({"run", run.string()}, no_git), {"forge run: ", "git", "PATH"});
  EXPECT_EQ(rig.journal_text(run), before);
  expect_goes_on(rig, run);
}

// Written in PyTorch, which is what needs an interpreter that has it.
constexpr const char* kTorchOracle = R"py(import torch


def groups():
    return {"typical": "normal", "extremes": "large", "structure": "zeros"}


def inputs(case):
    n, generator = case.dims["n"], case.generator
    scale = 1e6 if case.group == "extremes" else 1.0
    x = scale * torch.randn(n, generator=generator)
    if case.group == "structure":
        x[:64] = 0
    return {"x": x, "z": scale * torch.randn(n, generator=generator)}


def reference(case, inputs):
    return {"y": case.scalars["a"] * inputs["x"].double() + inputs["z"].double()}
)py";

TEST(HostileHost, AMissingPyTorchIsOneLineAndTheRunGoesOnWhenItIsThere) {
  ProgramRig rig(CacheKind::kShared);
  rig.write(rig.task() / "check/oracle.py", kTorchOracle);
  auto text = rig.fs().read(rig.task() / "task.toml").value();
  const std::string native = "check/oracle.cpp";
  rig.write(rig.task() / "task.toml",
            text.replace(text.find(native), native.size(), "check/oracle.py"));
  ASSERT_TRUE(rig.fs().remove_all(rig.task() / native));
  const Path run = rig.new_run();
  const std::string kernel = (rig.task() / "start/kernel.cpp").string();
  const Environment no_torch = {{"FK_PYTHON", "/bin/false"}};
  expect_one_line_error(rig.forge({"run", run.string()}, no_torch),
                        {"forge run: ", "FK_PYTHON=/bin/false", "install python3-torch"});
  expect_one_line_error(rig.forge({"judge", "saxpy", kernel}, no_torch),
                        {"forge judge: ", "FK_PYTHON=/bin/false", "install python3-torch"});
  expect_goes_on(rig, run);
}

}  // namespace
}  // namespace forge
