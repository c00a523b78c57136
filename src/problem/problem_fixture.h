// A small legal problem in a fake file system, which tests then change. For tests only.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "problem/load.h"
#include "sys/fs_fake.h"

namespace forge {

inline constexpr std::string_view kGoodTask = R"toml(name = "norm"
target = "cpu"
[signature]
dims = ["rows", "cols"]
scalars = [{ name = "eps", dtype = "f32" }, { name = "pad", dtype = "i32" }]
inputs = [{ name = "x", dtype = "bf16", shape = ["rows", "cols"] },
          { name = "w", dtype = "bf16", shape = ["cols"], optional = true }]
outputs = [{ name = "y", dtype = "bf16", shape = ["rows", "cols"] }]
[reference]
run = "reference/norm.py"
[judge]
oracle = "check/oracle.py"
)toml";

inline constexpr std::string_view kGoodShapes = R"json({
  "groups": [
    {"name": "typical", "purpose": "values as they occur"},
    {"name": "extreme", "purpose": "the largest and smallest legal values"},
    {"name": "plain", "purpose": "no weights", "absent": ["w"], "scalars": {"eps": 0}}
  ],
  "shapes": [
    {"name": "large", "dims": {"rows": 64, "cols": 128}, "scalars": {"eps": 1e-6, "pad": 3}}
  ]
})json";

class ProblemFixture {
 public:
  ProblemFixture() {
    write("task.toml", kGoodTask);
    write("shapes.json", kGoodShapes);
    write("description.md", "Normalises rows.\n");
    write("reference/norm.py", "");
    write("reference/norm.cpp", "");
    write("reference/norm2.cpp", "");
    write("reference/norm.cu", "");
    write("reference/norm.rs", "");
    write("check/oracle.py", "");
    write("check/oracle.rs", "");
    write("start/kernel.cpp", "");
    write("include/util.h", "");
    write(".cache/secret.h", "");
  }

  void write(std::string_view name, std::string_view text) {
    fs_.add_file(Path("tasks/norm") / name, text);
  }
  // kGoodTask with the first `from` replaced.
  void edit_task(std::string_view from, std::string_view to) {
    edit("task.toml", kGoodTask, from, to);
  }
  void edit_shapes(std::string_view from, std::string_view to) {
    edit("shapes.json", kGoodShapes, from, to);
  }

  FakeFs& fs() { return fs_; }
  Result<Problem> load() { return load_problem(fs_, "tasks/norm", HiddenShapes::kLoad); }
  Problem must_load() {
    Result<Problem> problem = load();
    if (!problem) invariant_failed(__FILE__, __LINE__, problem.error().message());
    return std::move(*problem);
  }
  // The message of the error, or "no error".
  std::string load_message() {
    const Result<Problem> problem = load();
    return problem ? "no error" : problem.error().message();
  }

 private:
  void edit(std::string_view name, std::string_view text, std::string_view from,
            std::string_view to) {
    std::string changed(text);
    const auto at = changed.find(from);
    FORGE_CHECK(at != std::string::npos);
    write(name, changed.replace(at, from.size(), to));
  }

  FakeFs fs_;
};

}  // namespace forge
