#include "program_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/text.h"
#include "run/paths.h"

namespace forge {
namespace {

namespace stdfs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Few rounds of one small shape: what is tested is what is lost, not what is gained.
constexpr const char* kShapes = R"json({
  "groups": [{"name": "typical", "purpose": "normally distributed values"},
             {"name": "extremes", "purpose": "large magnitudes"},
             {"name": "structure", "purpose": "blocks of zeros in x"}],
  "shapes": [{"name": "odd", "dims": {"n": 1003}, "scalars": {"a": 1.5}}]
})json";

void add_descendants(pid_t parent, std::vector<pid_t>& found) {
  std::error_code ignored;
  const Path tasks = "/proc/" + std::to_string(parent) + "/task";
  for (const auto& task : stdfs::directory_iterator(tasks, ignored)) {
    const auto text = make_real_fs()->read(task.path() / "children");
    if (!text) continue;
    std::istringstream children(*text);
    for (pid_t child = 0; children >> child;) {
      found.push_back(child);
      add_descendants(child, found);
    }
  }
}

// The name of a process that lives; empty for one that is dead and only waits to be reaped.
std::string living_name(pid_t pid) {
  const auto text = make_real_fs()->read("/proc/" + std::to_string(pid) + "/stat");
  if (!text) return "";
  const auto open = text->find('(');
  const auto close = text->rfind(')');
  const char status = close + 2 < text->size() ? (*text)[close + 2] : 'X';
  if (status == 'Z' || status == 'X') return "";
  return text->substr(open + 1, close - open - 1);
}

// What was killed is gone when the machine gets round to it.
constexpr milliseconds kDyingTime{10'000};

}  // namespace

ProgramRig::ProgramRig(CacheKind cache)
    : fs_(make_real_fs()), processes_(make_real_process_runner()) {
  // Orphans of a driver that was killed become our children, where they can be found.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  cache_ = cache == CacheKind::kOwn ? folder() / "cache" : Path(FORGE_BINARY_DIR) / "tests/cache";
  make_problem();
}

ProgramRig::~ProgramRig() = default;

void ProgramRig::make_problem() {
  const Path original = Path(FORGE_SOURCE_DIR) / "tests/tasks/saxpy";
  ASSERT_TRUE(fs_->copy_tree(original, task(), Durability::kScratch));
  ASSERT_TRUE(fs_->remove_all(task() / "hidden_shapes.json"));
  write(task() / "shapes.json", kShapes);
  auto text = fs_->read(task() / "task.toml").value();
  const std::string patience = "patience = 3";
  ASSERT_NE(text.find(patience), std::string::npos);
  write(task() / "task.toml", text.replace(text.find(patience), patience.size(), "patience = 2"));
}

void ProgramRig::write(const Path& file, const std::string& text) {
  const Status written = fs_->write_atomic(file, text, Durability::kScratch);
  ASSERT_TRUE(written) << written.error().message();
}

ProcessSpec ProgramRig::spec(std::vector<std::string> arguments, Environment environment) {
  ProcessSpec spec;
  spec.argv = {FORGE_EXECUTABLE};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_directory = folder();
  spec.environment = {{"XDG_CACHE_HOME", cache_.string()},
                      {"FK_LEASE_DIR", (folder() / "lease").string()}};
  for (auto& variable : environment) spec.environment.push_back(std::move(variable));
  spec.limits.wall = std::chrono::minutes(2);
  return spec;
}

std::unique_ptr<Child> ProgramRig::start(std::vector<std::string> arguments,
                                         Environment environment) {
  auto child = processes_->start(spec(std::move(arguments), std::move(environment)));
  EXPECT_TRUE(child) << child.error().message();
  return std::move(*child);
}

ProcessResult ProgramRig::forge(std::vector<std::string> arguments, Environment environment) {
  auto result = processes_->run(spec(std::move(arguments), std::move(environment)));
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : ProcessResult{Exited{-1}, "", "", false};
}

Path ProgramRig::new_run() {
  const ProcessResult made = forge({"new", "saxpy"});
  EXPECT_EQ(exit_code(made), 0) << made.standard_error;
  const auto lines = split_lines(trim(made.standard_output));
  return folder() / (lines.empty() ? "no-run" : lines.back());
}

std::string ProgramRig::journal_text(const Path& run) {
  auto text = fs_->read(RunPaths(run).journal());
  EXPECT_TRUE(text) << text.error().message();
  return text ? *text : "";
}

Journal ProgramRig::journal(const Path& run) {
  auto read = read_journal(*fs_, RunPaths(run).journal());
  EXPECT_TRUE(read) << read.error().message();
  return read ? *read : Journal{};
}

State ProgramRig::state(const Path& run) {
  auto folded = fold(journal(run));
  EXPECT_TRUE(folded) << folded.error().message();
  return folded ? *folded : State{};
}

bool ProgramRig::wait_for_events(const Path& run, std::size_t count, Child& driver) {
  while (true) {
    const auto text = journal_text(run);
    if (std::count(text.begin(), text.end(), '\n') >= static_cast<std::ptrdiff_t>(count)) {
      return true;
    }
    const auto ended = driver.wait(milliseconds(5));
    if (!ended || *ended) return false;
  }
}

std::vector<std::string> ProgramRig::processes_left() {
  const auto until = steady_clock::now() + kDyingTime;
  while (true) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    std::vector<pid_t> all;
    add_descendants(getpid(), all);
    std::vector<std::string> left;
    for (const pid_t pid : all) {
      const auto name = living_name(pid);
      if (!name.empty()) left.push_back(name + " (" + std::to_string(pid) + ")");
    }
    if (left.empty() || steady_clock::now() > until) return left;
    sleep_ms(5);
  }
}

void expect_whole_and_finished(const Journal& journal) {
  EXPECT_TRUE(journal.notice.empty()) << journal.notice;
  std::vector<int> started;
  std::vector<int> judged;
  int finished = 0;
  for (const auto& entry : journal.entries) {
    if (const auto* round = std::get_if<RoundStarted>(&entry.event))
      started.push_back(round->round);
    if (const auto* round = std::get_if<RoundJudged>(&entry.event)) {
      judged.push_back(round->round);
      EXPECT_NE(round->verdict, Verdict::kNoVerdict) << round->reason;
    }
    if (std::holds_alternative<Finished>(entry.event)) ++finished;
  }
  std::vector<int> expected;
  for (int round = 1; round <= static_cast<int>(started.size()); ++round) expected.push_back(round);
  EXPECT_GE(started.size(), 2u);
  EXPECT_EQ(started, expected);
  EXPECT_EQ(judged, expected);
  EXPECT_EQ(finished, 1);
}

int exit_code(const ProcessResult& result) {
  const auto* exited = std::get_if<Exited>(&result.end);
  return exited == nullptr ? -1 : exited->code;
}

void expect_one_line_error(const ProcessResult& result, const std::vector<std::string>& parts) {
  EXPECT_EQ(exit_code(result), 1) << result.standard_output << result.standard_error;
  const auto& text = result.standard_error;
  const auto lines = split_lines(trim(text));
  const auto is_error = [](const std::string& line) { return line.starts_with("forge"); };
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), is_error), 1) << text;
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(is_error(lines.back())) << text;
  for (const auto& part : parts) EXPECT_THAT(lines.back(), testing::HasSubstr(part));
}

void sleep_ms(std::int64_t time) { std::this_thread::sleep_for(milliseconds(time)); }

}  // namespace forge
