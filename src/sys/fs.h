// Files and directories behind one narrow interface. May know: base. Real: fs_real.cc; fake, with
// faults and forgetting of what was not synced: fs_fake.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

using Path = std::filesystem::path;

// kLink: a symbolic link, whatever it leads to. kOther: a socket, a device, a pipe. kShared: a file
// that has another name besides this one, which may be anywhere on the disk.
enum class FileKind { kNothing, kFile, kFolder, kLink, kShared, kOther };

struct FileFacts {
  FileKind kind = FileKind::kNothing;
  std::uint64_t bytes = 0;  // of a file
};

// Reading only; parsers and loaders are given no more than this.
class FileReader {
 public:
  virtual ~FileReader() = default;
  virtual Result<std::string> read(const Path& path) = 0;
  virtual bool exists(const Path& path) = 0;
  virtual bool is_directory(const Path& path) = 0;
  // Of the entry itself: a link at the end of `path` is not followed.
  virtual FileFacts look_at(const Path& path) = 0;
  // Absolute, with all links followed; what does not exist stays as it is written.
  virtual Result<Path> resolve(const Path& path) = 0;
  // Names (not paths), sorted; "." and ".." left out.
  virtual Result<std::vector<std::string>> list(const Path& directory) = 0;
};

// An open file to which whole records are appended.
class AppendFile {
 public:
  virtual ~AppendFile() = default;
  virtual Status append(std::string_view bytes) = 0;
  // fsync: when this returns, the bytes survive a power cut.
  virtual Status sync() = 0;
};

// Held until destroyed (or the process dies).
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// kScratch is for what can be made again: it is whole after a crash of ours, but may be missing or
// empty after a power cut.
enum class Durability { kSynced, kScratch };

class Fs : public FileReader {
 public:
  // Writes a temporary file beside `path`, syncs it, renames it over `path`, syncs the directory:
  // after a crash the file has the old or the new content, never a mixture.
  virtual Status write_atomic(const Path& path, std::string_view bytes,
                              Durability durability = Durability::kSynced) = 0;
  virtual Result<std::unique_ptr<AppendFile>> open_append(const Path& path) = 0;
  // Cuts a file to `size` bytes and syncs it.
  virtual Status truncate(const Path& path, std::uint64_t size) = 0;
  virtual Status make_directories(const Path& path) = 0;
  virtual Status remove_all(const Path& path) = 0;
  virtual Status rename(const Path& from, const Path& to) = 0;
  // Recursive; copies regular files and directories, refuses links and special files.
  virtual Status copy_tree(const Path& from, const Path& to,
                           Durability durability = Durability::kSynced) = 0;
  // A symbolic link at `link`, which must not be there, to `target`, which need not.
  virtual Status make_link(const Path& target, const Path& link) = 0;
  virtual Status set_permissions(const Path& path, unsigned mode) = 0;
  // Advisory lock on `path` (created if missing). kBusy if another process holds it; its message
  // then names the holder, taken from the file's content, which is set to `holder` on success.
  virtual Result<std::unique_ptr<FileLock>> try_lock(const Path& path, std::string_view holder) = 0;
};

std::unique_ptr<Fs> make_real_fs();

// Relative paths of all regular files below `directory`, sorted.
Result<std::vector<Path>> list_files_recursively(FileReader& fs, const Path& directory);

}  // namespace forge
