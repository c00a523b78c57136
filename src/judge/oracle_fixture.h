// A small problem on disk with an oracle to be tested. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "judge/freeze.h"
#include "judge/oracle.h"
#include "judge/oracle_protocol.h"
#include "judge/python.h"
#include "problem/load.h"
#include "temporary_directory.h"

namespace forge {

// y = x * factor rounded to bf16, and n = the number of columns where x is positive.
inline constexpr const char* kSmallTask = R"(
name = "small"
target = "cpu"
[signature]
dims = ["rows", "cols"]
scalars = [{ name = "factor", dtype = "f32" }]
inputs = [{ name = "x", dtype = "bf16", shape = ["rows", "cols"], strides = ["1", "rows+1"] },
          { name = "k", dtype = "i32", shape = ["rows"], range = [0, "cols-1"] }]
outputs = [{ name = "y", dtype = "bf16", shape = ["rows", "cols"] },
           { name = "n", dtype = "i64", shape = ["rows"] }]
[judge]
oracle = "check/ORACLE"
author = "a test"
)";

inline constexpr const char* kSmallShapes = R"({
  "groups": [{"name": "typical", "purpose": "values"}, {"name": "other", "purpose": "more"}],
  "shapes": [{"name": "tiny", "dims": {"rows": 3, "cols": 40}, "scalars": {"factor": 0.5}}]
})";

class OracleFixture : public testing::Test {
 protected:
  void write(const Path& file, std::string_view text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }

  // Writes and loads the problem; its instances are those of shape "tiny".
  void set_problem(const std::string& oracle_name, std::string_view oracle,
                   std::string task = kSmallTask) {
    const std::size_t at = task.find("ORACLE");
    if (at != std::string::npos) task.replace(at, std::strlen("ORACLE"), oracle_name);
    write("problem/task.toml", task);
    write("problem/shapes.json", kSmallShapes);
    write("problem/description.md", "A test.");
    write(Path("problem/check") / oracle_name, oracle);
    auto problem = load_problem(*fs_, folder_ / "problem", HiddenShapes::kIgnore);
    ASSERT_TRUE(problem.has_value()) << problem.error().message();
    problem_ = std::move(*problem);
    launch_.oracle = folder_ / "problem/check" / oracle_name;
    launch_.digest = *judge_digest(*fs_, folder_ / "problem");
    launch_.support = FORGE_SOURCE_DIR;
    launch_.cache = folder_ / "cache";
    launch_.compiler = "g++";
    launch_.time_limit = std::chrono::seconds(60);
  }

  Instance instance(std::size_t group = 0) const {
    auto made = instantiate(problem_, problem_.shapes[0], problem_.shapes[0].groups[group]);
    EXPECT_TRUE(made.has_value());
    return *made;
  }

  Result<std::unique_ptr<Oracle>> start() { return start_oracle(launch_, *fs_, *processes_); }

  // The error of making the first case, or of starting.
  std::string failure() {
    auto oracle = start();
    if (!oracle) return oracle.error().message();
    const auto files = (*oracle)->make_case(instance(), 1);
    return files ? "" : files.error().message();
  }

  template <typename T>
  std::vector<T> values(const Path& file) const {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  TemporaryDirectory directory_;
  const Path folder_ = directory_.path();
  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
  Problem problem_;
  OracleLaunch launch_;
};

}  // namespace forge
