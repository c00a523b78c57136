// Where things are made before they are renamed to where they belong. Killed makers leave their
// folders behind; the next one clears them away. May know: base, sys.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

class MakingFolder {
 public:
  // <parent>/<random name>/, locked for as long as this lives by <parent>/<random name>.lock.
  // `maker` says who we are, to whoever looks into the lock.
  static Result<MakingFolder> open(Fs& fs, const Path& parent, std::string_view maker);
  ~MakingFolder();
  MakingFolder(MakingFolder&&) = default;
  MakingFolder& operator=(MakingFolder&&) = delete;

  const Path& path() const { return folder_; }
  // A new empty folder inside.
  Result<Path> next();

 private:
  MakingFolder(Fs& fs, Path folder, std::unique_ptr<FileLock> lock)
      : fs_(&fs), folder_(std::move(folder)), lock_(std::move(lock)) {}

  Fs* fs_;
  Path folder_;
  std::unique_ptr<FileLock> lock_;
  int count_ = 0;
};

}  // namespace forge
