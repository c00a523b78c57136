// Judges that can't tell right from wrong are refused with the reason, and good ones are admitted
// (those of the shipped problems: tests/kernels). What each folder holds is in README.md.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "driver/job_specs.h"
#include "problem/load.h"
#include "worker/worker_rig.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Path kJudges = Path(FORGE_SOURCE_DIR) / "tests/judges";

std::vector<std::string> folders_in(const Path& folder, const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && name.starts_with(prefix)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Judges : public ::testing::TestWithParam<std::string> {
 protected:
  // The base problem with the folder's files in place of its own.
  Path overlaid() {
    const Path task = rig_.folder() / "task";
    EXPECT_TRUE(rig_.fs().copy_tree(kJudges / "base", task));
    const auto files = list_files_recursively(rig_.fs(), kJudges / GetParam());
    EXPECT_TRUE(files);
    for (const Path& file : *files) {
      EXPECT_TRUE(rig_.fs().make_directories((task / file).parent_path()));
      EXPECT_TRUE(rig_.fs().copy_tree(kJudges / GetParam() / file, task / file));
    }
    return task;
  }

  Result<AlignResult> align(const Path& task) {
    FORGE_TRY(const Problem problem, load_problem(rig_.fs(), task, HiddenShapes::kLoad));
    FORGE_TRY(const Digest digest, judge_digest(rig_.fs(), task));
    const State state;
    const RunPaths paths(rig_.folder() / "run");
    const JobBasis basis{problem, state, paths, (rig_.folder() / "cache").string(), digest.hex, {}};
    const JobOrder order = align_job(basis, 1, {101, 202});
    FORGE_TRY(JobResult result, rig_.run(order.spec, task, order.arms));
    return std::get<AlignResult>(result.body);
  }

  // Everything that stands between the judge and its being frozen, in words.
  std::string objections(const Path& task) {
    const auto aligned = align(task);
    if (!aligned) return aligned.error().message();
    std::string text = aligned->mismatch;
    for (const std::string& refusal : aligned->admission.refusals) text += refusal + "\n";
    EXPECT_TRUE(!text.empty() || aligned->admission.tried > 0);
    for (const std::string& note : aligned->admission.notes) {
      std::printf("%s: %s\n", GetParam().c_str(), note.c_str());
    }
    return text;
  }

  WorkerRig rig_;
};

class BadJudges : public Judges {};
TEST_P(BadJudges, AreRefusedWithTheReason) {
  const auto reason = rig_.fs().read(kJudges / GetParam() / "reason.txt");
  ASSERT_TRUE(reason) << reason.error().message();
  const Path task = overlaid();
  ASSERT_TRUE(rig_.fs().remove_all(task / "reason.txt"));
  const std::string said = objections(task);
  for (const std::string& words : split_lines(*reason)) {
    EXPECT_THAT(said, HasSubstr(words));
  }
}
INSTANTIATE_TEST_SUITE_P(Of, BadJudges, ::testing::ValuesIn(folders_in(kJudges, "refused_")),
                         [](const auto& tested) { return tested.param; });

class GoodJudges : public Judges {};
TEST_P(GoodJudges, AreAdmitted) { EXPECT_THAT(objections(overlaid()), IsEmpty()); }
INSTANTIATE_TEST_SUITE_P(Of, GoodJudges, ::testing::ValuesIn(folders_in(kJudges, "admitted_")),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace forge
