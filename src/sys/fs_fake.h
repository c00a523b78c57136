// A file system in memory that can fail on purpose and lose what was not synced. May know: base,
// fs.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sys/fs.h"

namespace forge {

enum class FaultSpan {
  kOnce,        // only this step fails: a passing error
  kFromThenOn,  // this step and all later ones: a full disk, or the moment of a crash
};

// Paths are compared as text after lexical normalisation; "." and "/" always exist. As on a real
// file system, a file can only be created in a directory that exists.
class FakeFs : public Fs {
 public:
  FakeFs();
  ~FakeFs() override;

  Result<std::string> read(const Path& path) override;
  bool exists(const Path& path) override;
  bool is_directory(const Path& path) override;
  FileFacts look_at(const Path& path) override;
  // Relative paths lie below /fake; links lead nowhere.
  Result<Path> resolve(const Path& path) override;
  Result<std::vector<std::string>> list(const Path& directory) override;

  Status write_atomic(const Path& path, std::string_view bytes,
                      Durability durability = Durability::kSynced) override;
  Result<std::unique_ptr<AppendFile>> open_append(const Path& path) override;
  Status truncate(const Path& path, std::uint64_t size) override;
  Status make_directories(const Path& path) override;
  Status remove_all(const Path& path) override;
  Status rename(const Path& from, const Path& to) override;
  Status copy_tree(const Path& from, const Path& to,
                   Durability durability = Durability::kSynced) override;
  Status make_link(const Path& target, const Path& link) override;
  Status set_permissions(const Path& path, unsigned mode) override;
  Result<std::unique_ptr<FileLock>> try_lock(const Path& path, std::string_view holder) override;

  // Puts a file there, synced, and the directories above it; not counted as a step.
  void add_file(const Path& path, std::string_view bytes);
  // Adds a link, which copy_tree must refuse.
  void add_link(const Path& path);
  std::optional<unsigned> permissions(const Path& path) const;

  // Steps are what a disk can refuse or a crash can fall between, in order: a write_atomic is four
  // (write, sync, rename, sync of the directory; scratch is not synced), an append one, a sync one.
  // Reading is none.
  std::uint64_t steps() const { return steps_; }
  std::uint64_t syncs() const { return syncs_; }
  // Makes step number `step` (the first is 1) return `error`.
  void fail_step(std::uint64_t step, FaultSpan span, Error error);
  void clear_faults() { fault_.reset(); }

  // What a power cut leaves: the content at the last sync. Removed files that were not synced away
  // are back. Locks are free again.
  void forget_unsynced();

  struct State;

 private:
  class Handle;
  class Lock;

  Status step(const char* attempt, const Path& path);
  Status sync_step(const char* attempt, const Path& path);
  Status check_parent(const char* attempt, const Path& path);
  Status copy_entry(const Path& from, const Path& to, Durability durability);

  struct Fault {
    std::uint64_t step = 0;
    FaultSpan span = FaultSpan::kOnce;
    Error error;
  };

  std::unique_ptr<State> live_;
  std::unique_ptr<State> durable_;
  std::shared_ptr<std::set<std::string>> locked_;
  std::uint64_t steps_ = 0;
  std::uint64_t syncs_ = 0;
  std::optional<Fault> fault_;
};

}  // namespace forge
