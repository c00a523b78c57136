// Every problem in tasks/ as a user meets it: its plan can be shown. Whether it is judged rightly:
// tests/kernels.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "problem/load.h"
#include "program_rig.h"
#include "sys/fs.h"
#include "target/tunables.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

const Path kTasks = Path(FORGE_SOURCE_DIR) / "tasks";

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kTasks)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// All that the start kernel declares, each as what it is.
void expect_choices(const std::string& shown, const Problem& problem, const Path& task) {
  const char* kernel = problem.target == Target::kCuda ? "kernel.cu" : "kernel.cpp";
  const auto source = make_real_fs()->read(task / *problem.start_path / kernel);
  ASSERT_TRUE(source) << source.error().message();
  const auto tunables = scan_tunables(*source, kernel);
  ASSERT_TRUE(tunables) << tunables.error().message();
  EXPECT_FALSE(tunables->empty());
  for (const Tunable& tunable : *tunables) {
    const bool structure = tunable.kind == TunableKind::kStructure;
    EXPECT_THAT(shown, HasSubstr((structure ? "structure  " : "tuning     ") + tunable.name + " "));
  }
}

class ShippedTask : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedTask, ShowsItsPlan) {
  auto fs = make_real_fs();
  const Path task = kTasks / GetParam();
  const auto problem = load_problem(*fs, task, HiddenShapes::kLoad);
  ASSERT_TRUE(problem) << problem.error().message();
  ProgramRig program(CacheKind::kShared);
  const ProcessResult shown = program.forge({"new", task.string(), "--dry-run"});
  EXPECT_EQ(exit_code(shown), 0) << shown.standard_error;
  for (const auto& reference : problem->reference.implementations) {
    EXPECT_THAT(shown.standard_output, HasSubstr(reference.run));
  }
  expect_choices(shown.standard_output, *problem, task);
  if (problem->target == Target::kCuda) return;
  EXPECT_THAT(shown.standard_output, HasSubstr("structure  k"));
  EXPECT_THAT(shown.standard_output, HasSubstr("tuning     k"));
}

INSTANTIATE_TEST_SUITE_P(Of, ShippedTask, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace forge
