#include "sys/making_folder.h"

#include <fmt/format.h>

#include "sys/clock.h"

namespace forge {
namespace {

Path lock_of(const Path& folder) { return Path(folder).concat(".lock"); }

// Whose lock is free has no maker any more.
void clear_abandoned(Fs& fs, const Path& parent) {
  const Result<std::vector<std::string>> names = fs.list(parent);
  if (!names) return;
  for (const Path name : *names) {
    if (name.extension() != ".lock") continue;
    const Result<std::unique_ptr<FileLock>> lock = fs.try_lock(parent / name, "");
    if (!lock) continue;
    // What can't be removed now is tried again by the next maker.
    if (fs.remove_all(parent / name.stem())) (void)fs.remove_all(parent / name).has_value();
  }
}

}  // namespace

Result<MakingFolder> MakingFolder::open(Fs& fs, const Path& parent, std::string_view maker) {
  FORGE_TRY_STATUS(fs.make_directories(parent));
  clear_abandoned(fs, parent);
  const Path folder = parent / fmt::format("{:016x}", make_real_entropy()->next());
  FORGE_TRY(auto lock, fs.try_lock(lock_of(folder), maker));
  FORGE_TRY_STATUS(fs.make_directories(folder));
  return MakingFolder(fs, folder, std::move(lock));
}

MakingFolder::~MakingFolder() {
  if (lock_ == nullptr) return;  // moved from
  (void)fs_->remove_all(folder_).has_value();
  (void)fs_->remove_all(lock_of(folder_)).has_value();
}

Result<Path> MakingFolder::next() {
  Path folder = folder_ / std::to_string(count_++);
  FORGE_TRY_STATUS(fs_->make_directories(folder));
  return folder;
}

}  // namespace forge
