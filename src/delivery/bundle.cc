#include "delivery/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace forge {
namespace {

// Labels become folder names inside the bundle.
bool is_plain_name(std::string_view label) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !label.empty() && std::all_of(label.begin(), label.end(), plain);
}

Status check_labels(const Path& bundle, const std::vector<BundleArm>& arms) {
  std::set<std::string> seen;
  for (const BundleArm& arm : arms) {
    if (!is_plain_name(arm.spec.label)) {
      return Error{ErrorKind::kInvalidInput, "cannot write bundle", bundle.string(),
                   fmt::format("'{}' can't be an arm's label", arm.spec.label),
                   "use letters, digits, '-' and '_'"};
    }
    if (!seen.insert(arm.spec.label).second) {
      return Error{ErrorKind::kInvalidInput, "cannot write bundle", bundle.string(),
                   fmt::format("two arms are labelled '{}'", arm.spec.label),
                   "give each arm a label of its own"};
    }
  }
  return {};
}

// job.json goes first, so that an interruption can't leave one beside a folder that lost files.
Status clear(Fs& fs, const Path& bundle) {
  FORGE_TRY_STATUS(fs.remove_all(bundle / "job.json"));
  FORGE_TRY_STATUS(fs.remove_all(bundle));
  return fs.make_directories(bundle);
}

Status copy_arm(Fs& fs, const Path& bundle, BundleArm& arm) {
  const Path relative = Path("arms") / arm.spec.label / arm.file.filename();
  FORGE_TRY(const std::string source, fs.read(arm.file));
  FORGE_TRY_STATUS(fs.make_directories((bundle / relative).parent_path()));
  FORGE_TRY_STATUS(fs.write_atomic(bundle / relative, source));
  arm.spec.source = relative.string();
  return {};
}

}  // namespace

Status write_bundle(Fs& fs, const Path& bundle, const Path& problem_folder, JobSpec job,
                    std::vector<BundleArm> arms) {
  FORGE_TRY_STATUS(check_labels(bundle, arms));
  FORGE_TRY_STATUS(clear(fs, bundle));
  // Not synced, unlike the arms, which are read again when a round becomes the best: the problem is
  // copied anew whenever a job is submitted.
  FORGE_TRY_STATUS(fs.copy_tree(problem_folder, bundle / "problem", Durability::kScratch));
  job.arms.clear();
  for (BundleArm& arm : arms) {
    if (!arm.file.empty()) FORGE_TRY_STATUS(copy_arm(fs, bundle, arm));
    job.arms.push_back(std::move(arm.spec));
  }
  return fs.write_atomic(bundle / "job.json", to_json(job).dump_pretty());
}

}  // namespace forge
