// Every problem in tasks/ as a user meets it: its plan can be shown. Whether it is judged rightly:
// tests/kernels.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "problem/load.h"
#include "program_rig.h"
#include "sys/fs.h"

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
  EXPECT_THAT(shown.standard_output, HasSubstr("structure  k"));
  EXPECT_THAT(shown.standard_output, HasSubstr("tuning     k"));
}

INSTANTIATE_TEST_SUITE_P(Of, ShippedTask, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace forge
