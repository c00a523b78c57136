// Runs the real forge in an empty folder of its own, with a small problem that can be broken.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

inline constexpr const char* kTask = R"toml(name = "double"
target = "cpu"
[signature]
dims = ["n"]
inputs = [{ name = "x", dtype = "f32", shape = ["n"] }]
outputs = [{ name = "y", dtype = "f32", shape = ["n"] }]
[reference]
run = "reference/double.cpp"
source = ["reference/double.cpp"]
[judge]
oracle = "check/oracle.cpp"
author = "the test"
[start]
path = "start/"
[goal]
ratio = 1.2
)toml";

inline constexpr const char* kShapes = R"json({"shapes": [
  {"name": "small", "dims": {"n": 64}, "scalars": {}, "groups": [
    {"name": "typical", "purpose": "values of everyday size"},
    {"name": "large", "purpose": "values near the end of the range"},
    {"name": "zeros", "purpose": "blocks of zeros"}]}]})json";

inline constexpr const char* kStartKernel =
    R"cpp(#include "forge_args.h"
          FORGE_STRUCTURE(bool, kReversed, false, false, true)
          FORGE_TUNABLE(int, kVec, 4, 1, 2, 4, 8)
          extern "C" int forge_launch(const Args* args, void*) {
            for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = 2 * args->x[i];
            return 0;
          }
    )cpp";

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/forge-cli-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write("tasks/double/task.toml", kTask);
    write("tasks/double/shapes.json", kShapes);
    write("tasks/double/description.md", "y is twice x.\n");
    write("tasks/double/reference/double.cpp", kStartKernel);
    write("tasks/double/check/oracle.cpp", "// what is right\n");
    write("tasks/double/start/kernel.cpp", kStartKernel);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  // Replaces one piece of task.toml.
  void break_task(const std::string& from, const std::string& to) {
    std::string text = kTask;
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write("tasks/double/task.toml", text.replace(at, from.size(), to));
  }

  ProcessResult forge(std::vector<std::string> arguments,
                      std::vector<std::pair<std::string, std::string>> environment = {}) {
    ProcessSpec spec;
    spec.argv = {FORGE_EXECUTABLE};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = folder_;
    spec.environment = std::move(environment);
    spec.environment.emplace_back("XDG_CACHE_HOME", (folder_ / "cache").string());
    spec.limits.wall = std::chrono::seconds(60);
    auto result = processes_->run(spec);
    EXPECT_TRUE(result) << result.error().message();
    return result ? *result : ProcessResult{Exited{-1}, "", "", false};
  }

  // Every file below the folder with its content: what "writes nothing" is measured by.
  std::string snapshot() {
    const auto files = list_files_recursively(*fs_, folder_);
    std::string all;
    for (const Path& file : files.value()) {
      all += file.string() + "\n" + fs_->read(folder_ / file).value() + "\n";
    }
    return all;
  }

  // The directory that forge new printed alone on the last line.
  Path new_run() {
    const ProcessResult made = forge({"new", "tasks/double"});
    EXPECT_TRUE(made.succeeded()) << made.standard_error;
    std::istringstream lines(made.standard_output);
    std::string line;
    std::string last;
    while (std::getline(lines, line)) last = line;
    return folder_ / last;
  }

  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
  Path folder_;
};

inline int exit_code(const ProcessResult& result) {
  const auto* exited = std::get_if<Exited>(&result.end);
  return exited == nullptr ? -1 : exited->code;
}

}  // namespace forge
