// Judges the corpus of cheats and honest kernels over and over, and looks whether anything is left:
// processes, descriptors, memory files, temporary files, control groups, memory of the measurer.
//
// usage: soak [TRIALS]      default 200; a trial is one fresh process of one candidate
#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/random.h"
#include "cheats/judged_corpus.h"

namespace forge {
namespace {

constexpr int kDefaultTrials = 200;
// Jobs until caches, allocators and the oracles' folders are as large as they get.
constexpr int kWarmUpJobs = 40;
constexpr std::int64_t kFlatKib = 8 << 10;

struct Left {
  std::int64_t processes = 0;
  std::int64_t descriptors = 0;
  std::int64_t memory_files = 0;
  std::int64_t temporary_files = 0;
  std::int64_t control_groups = 0;
  std::int64_t resident_kib = 0;
};

template <typename Count>
void for_each_entry(const std::string& folder, Count count) {
  DIR* opened = opendir(folder.c_str());
  if (opened == nullptr) return;
  while (const dirent* entry = readdir(opened)) {
    if (entry->d_name[0] != '.') count(std::string(entry->d_name));
  }
  closedir(opened);
}

std::int64_t children() {
  std::int64_t count = 0;
  for_each_entry("/proc/self/task", [&](const std::string& thread) {
    for (const std::string& pid : split(text_of("/proc/self/task/" + thread + "/children"), ' ')) {
      count += pid.empty() ? 0 : 1;
    }
  });
  return count;
}

std::int64_t resident_kib() {
  for (const std::string& line : split_lines(text_of("/proc/self/status"))) {
    if (line.starts_with("VmRSS:")) return std::atoll(line.c_str() + 6);
  }
  return 0;
}

// Of this process alone: others use /tmp at the same time.
const Path& temporary_folder() {
  static const TemporaryDirectory& mine = *new TemporaryDirectory();
  static const Path path = mine.path();
  return path;
}

Left look() {
  Left left;
  left.processes = children();
  for_each_entry("/proc/self/fd", [&](const std::string& fd) {
    char target[256] = {};
    ++left.descriptors;
    const std::string path = "/proc/self/fd/" + fd;
    if (readlink(path.c_str(), target, sizeof target - 1) > 0 &&
        std::string_view(target).starts_with("/memfd:")) {
      ++left.memory_files;
    }
  });
  for (const std::string& folder : {temporary_folder().string(), std::string("/dev/shm")}) {
    for_each_entry(folder, [&](const std::string&) { ++left.temporary_files; });
  }
  for_each_entry("/sys/fs/cgroup", [&](const std::string& name) {
    left.control_groups += name.find("forge") != std::string::npos ? 1 : 0;
  });
  left.resident_kib = resident_kib();
  return left;
}

// Says what there is more of; true if nothing.
bool compare(const Left& before, const Left& after) {
  bool same = true;
  const auto row = [&](const char* what, std::int64_t was, std::int64_t is, std::int64_t allowed) {
    fmt::print("{:<16} {:>8} -> {:>8}{}\n", what, was, is, is > was + allowed ? "  MORE" : "");
    same = same && is <= was + allowed;
  };
  row("processes", before.processes, after.processes, 0);
  row("descriptors", before.descriptors, after.descriptors, 0);
  row("memory files", before.memory_files, after.memory_files, 0);
  row("temporary files", before.temporary_files, after.temporary_files, 0);
  row("control groups", before.control_groups, after.control_groups, 0);
  row("resident KiB", before.resident_kib, after.resident_kib, kFlatKib);
  return same;
}

// Trials of the candidate in one job: the check, and those that were timed.
int trials_of(const JobResult& result) {
  int trials = 1;
  for (const Contrast& contrast : std::get<JudgeResult>(result.body).contrasts) {
    trials += contrast.trials;
  }
  return trials;
}

int soak(int wanted) {
  setenv("TMPDIR", temporary_folder().c_str(), 1);
  std::vector<CheatCase> kernels = read_corpus("cpu");
  // Their compilers take seconds each and start no trial.
  std::erase_if(kernels, [](const CheatCase& one) { return one.get("kind") == "compile-bomb"; });
  for (CheatCase& control : read_corpus("controls")) {
    kernels.insert(kernels.end(), 4, control);
  }
  Random random(1);
  Left before;
  int trials = 0;
  int jobs = 0;
  while (trials < wanted || jobs <= kWarmUpJobs) {
    const auto result = corpus_judge().judge(kernels[random.below(kernels.size())]);
    if (!result) {
      fmt::print(stderr, "soak: {}\n", result.error().message());
      return 1;
    }
    if (++jobs == kWarmUpJobs) before = look();
    if (jobs > kWarmUpJobs) trials += trials_of(*result);
  }
  fmt::print("{} trials in {} jobs after {} to warm up\n", trials, jobs - kWarmUpJobs, kWarmUpJobs);
  return compare(before, look()) ? 0 : 1;
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? std::atoi(argv[1]) : forge::kDefaultTrials;
  if (wanted < 1) {
    std::fputs("usage: soak [TRIALS]\n", stderr);
    return 2;
  }
  return forge::soak(wanted);
}
