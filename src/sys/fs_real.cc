// The real file system. Everything that returns success here has been synced.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/text.h"
#include "sys/file_io.h"
#include "sys/fs.h"
#include "sys/system_error.h"
#include "sys/unfinished.h"
#include "sys/unique_fd.h"

namespace forge {
namespace {

namespace stdfs = std::filesystem;

Path parent_of(const Path& path) {
  const Path parent = path.parent_path();
  return parent.empty() ? Path(".") : parent;
}

Status status_of(int number, const char* attempt, const Path& path) {
  if (number != 0) return system_error(attempt, path.string(), number);
  return {};
}

// Removes the file again unless it was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Path& beside) {
    static std::atomic<unsigned> counter{0};
    path_ = parent_of(beside) /
            unfinished_name(beside.filename().string(), ::getpid(), counter.fetch_add(1));
  }
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const Path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  Path path_;
};

// Returns an errno value.
int write_new_file(const Path& path, std::string_view bytes, Durability durability) {
  // Left over from a process that was killed and had our process number.
  ::unlink(path.c_str());
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd.valid()) return errno;
  if (const int failed = write_fully(fd.get(), bytes)) return failed;
  if (durability == Durability::kScratch) return 0;
  return ::fsync(fd.get()) == 0 ? 0 : errno;
}

class RealAppendFile : public AppendFile {
 public:
  RealAppendFile(UniqueFd fd, Path path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Status append(std::string_view bytes) override {
    const off_t before = ::lseek(fd_.get(), 0, SEEK_END);
    if (before < 0) return status_of(errno, "cannot write", path_);
    const int failed = write_fully(fd_.get(), bytes);
    // Half a record would damage the one that is appended after it.
    const bool torn = failed != 0 && ::lseek(fd_.get(), 0, SEEK_END) != before;
    if (torn && ::ftruncate(fd_.get(), before) != 0) {
      return status_of(errno, "cannot take back half a record in", path_);
    }
    return status_of(failed, "cannot write", path_);
  }

  Status sync() override {
    return status_of(::fsync(fd_.get()) == 0 ? 0 : errno, "cannot sync", path_);
  }

 private:
  UniqueFd fd_;
  Path path_;
};

class RealFileLock : public FileLock {
 public:
  explicit RealFileLock(UniqueFd fd) : fd_(std::move(fd)) {}

 private:
  UniqueFd fd_;  // flock ends with the last descriptor
};

class RealFs : public Fs {
 public:
  Result<std::string> read(const Path& path) override {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return system_error("cannot read", path.string(), errno);
    std::string bytes;
    if (const int failed = read_fully(fd.get(), bytes)) {
      return system_error("cannot read", path.string(), failed);
    }
    return bytes;
  }

  bool exists(const Path& path) override {
    std::error_code ignored;
    return stdfs::exists(path, ignored);
  }

  bool is_directory(const Path& path) override {
    std::error_code ignored;
    return stdfs::is_directory(path, ignored);
  }

  FileFacts look_at(const Path& path) override {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0) return {};
    if (S_ISDIR(info.st_mode)) return {FileKind::kFolder, 0};
    if (S_ISLNK(info.st_mode)) return {FileKind::kLink, 0};
    if (!S_ISREG(info.st_mode)) return {FileKind::kOther, 0};
    return {info.st_nlink > 1 ? FileKind::kShared : FileKind::kFile,
            static_cast<std::uint64_t>(info.st_size)};
  }

  Result<Path> resolve(const Path& path) override {
    std::error_code failed;
    const Path absolute = stdfs::absolute(path, failed);
    Path resolved = failed ? Path() : stdfs::weakly_canonical(absolute, failed);
    if (failed) return system_error("cannot resolve", path.string(), failed.value());
    return resolved;
  }

  Result<std::vector<std::string>> list(const Path& directory) override {
    std::error_code failed;
    std::vector<std::string> names;
    stdfs::directory_iterator entries(directory, failed);
    for (; !failed && entries != stdfs::directory_iterator(); entries.increment(failed)) {
      names.push_back(entries->path().filename().string());
    }
    if (failed) return system_error("cannot list", directory.string(), failed.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  Status write_atomic(const Path& path, std::string_view bytes, Durability durability) override {
    TemporaryFile temporary(path);
    if (const int failed = write_new_file(temporary.path(), bytes, durability)) {
      return status_of(failed, "cannot write", path);
    }
    if (::rename(temporary.path().c_str(), path.c_str()) != 0) {
      return status_of(errno, "cannot write", path);
    }
    temporary.keep();
    if (durability == Durability::kScratch) return {};
    return status_of(sync_path(parent_of(path).c_str()), "cannot sync", parent_of(path));
  }

  Result<std::unique_ptr<AppendFile>> open_append(const Path& path) override {
    const bool existed = exists(path);
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
    if (!fd.valid()) return system_error("cannot open", path.string(), errno);
    if (!existed) {
      const Path parent = parent_of(path);
      FORGE_TRY_STATUS(status_of(sync_path(parent.c_str()), "cannot sync", parent));
    }
    return std::unique_ptr<AppendFile>(std::make_unique<RealAppendFile>(std::move(fd), path));
  }

  Status truncate(const Path& path, std::uint64_t size) override {
    const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    struct stat info{};
    if (!fd.valid() || ::fstat(fd.get(), &info) != 0) {
      return status_of(errno, "cannot truncate", path);
    }
    if (size > static_cast<std::uint64_t>(info.st_size)) {
      return Error{ErrorKind::kInfrastructure, "cannot truncate", path.string(),
                   fmt::format("it has only {} bytes, not {}", info.st_size, size), ""};
    }
    const bool done =
        ::ftruncate(fd.get(), static_cast<off_t>(size)) == 0 && ::fsync(fd.get()) == 0;
    return status_of(done ? 0 : errno, "cannot truncate", path);
  }

  Status make_directories(const Path& path) override {
    if (path.empty() || is_directory(path)) return {};
    const Path parent = parent_of(path);
    if (parent != path) FORGE_TRY_STATUS(make_directories(parent));
    if (::mkdir(path.c_str(), 0777) != 0 && !(errno == EEXIST && is_directory(path))) {
      return status_of(errno, "cannot create", path);
    }
    return status_of(sync_path(parent.c_str()), "cannot sync", parent);
  }

  Status remove_all(const Path& path) override {
    std::error_code failed;
    stdfs::remove_all(path, failed);
    return status_of(failed.value(), "cannot remove", path);
  }

  Status rename(const Path& from, const Path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) {
      return system_error("cannot rename", fmt::format("{} to {}", from.string(), to.string()),
                          errno);
    }
    FORGE_TRY_STATUS(status_of(sync_path(parent_of(to).c_str()), "cannot sync", parent_of(to)));
    if (parent_of(from) == parent_of(to)) return {};
    return status_of(sync_path(parent_of(from).c_str()), "cannot sync", parent_of(from));
  }

  Status copy_tree(const Path& from, const Path& to, Durability durability) override {
    struct stat info{};
    if (::lstat(from.c_str(), &info) != 0) return status_of(errno, "cannot copy", from);
    if (S_ISREG(info.st_mode)) {
      return copy_file(from, to, info.st_mode & 0777, durability);
    }
    if (!S_ISDIR(info.st_mode)) {
      return Error{ErrorKind::kInvalidInput, "cannot copy", from.string(),
                   S_ISLNK(info.st_mode) ? "it is a symbolic link" : "it is no regular file",
                   "replace it by a regular file"};
    }
    FORGE_TRY_STATUS(make_directories(to));
    FORGE_TRY(const auto names, list(from));
    for (const std::string& name : names) {
      FORGE_TRY_STATUS(copy_tree(from / name, to / name, durability));
    }
    if (durability == Durability::kScratch) return {};
    return status_of(sync_path(to.c_str()), "cannot sync", to);
  }

  Status make_link(const Path& target, const Path& link) override {
    const int failed = ::symlink(target.c_str(), link.c_str()) == 0 ? 0 : errno;
    return status_of(failed, "cannot link", link);
  }

  Status set_permissions(const Path& path, unsigned mode) override {
    const int failed = ::chmod(path.c_str(), static_cast<mode_t>(mode)) == 0 ? 0 : errno;
    return status_of(failed, "cannot change the permissions of", path);
  }

  Result<std::unique_ptr<FileLock>> try_lock(const Path& path, std::string_view holder) override {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!fd.valid()) return system_error("cannot lock", path.string(), errno);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return system_error("cannot lock", path.string(), errno);
      return held_by_another(fd.get(), path);
    }
    const bool emptied = ::ftruncate(fd.get(), 0) == 0;
    if (const int failed = emptied ? write_fully(fd.get(), holder) : errno) {
      return system_error("cannot lock", path.string(), failed);
    }
    return std::unique_ptr<FileLock>(std::make_unique<RealFileLock>(std::move(fd)));
  }

 private:
  static Error held_by_another(int fd, const Path& path) {
    std::string holder;
    if (read_fully(fd, holder) != 0) holder.clear();
    holder = clip(printable(trim(holder)), 200);
    return Error{ErrorKind::kBusy, "cannot lock", path.string(),
                 "it is held by " + (holder.empty() ? "another process" : holder), ""};
  }

  Status copy_file(const Path& from, const Path& to, unsigned mode, Durability durability) {
    FORGE_TRY(const std::string bytes, read(from));
    FORGE_TRY_STATUS(status_of(write_new_file(to, bytes, durability), "cannot write", to));
    return set_permissions(to, mode);
  }
};

}  // namespace

std::unique_ptr<Fs> make_real_fs() { return std::make_unique<RealFs>(); }

}  // namespace forge
