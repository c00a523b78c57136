// Compiled kernels by the digest of all that went into them. May know: base, sys.
//
// <build>/<digest>/ holds kernel.so, the files that its command line names, and build.json, whose
// digest of kernel.so guards against a torn write. A folder is made under a temporary name and
// renamed when whole, so that processes that make the same one do not disturb each other.
#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "base/error.h"
#include "sys/fs.h"
#include "sys/making_folder.h"
#include "target/cpu/compile.h"

namespace forge {

inline constexpr std::string_view kObjectName = "kernel.so";

// A folder under making/ beside <build>; removed when destroyed, unless it was kept.
class StagingFolder {
 public:
  static Result<StagingFolder> make(Fs& fs, const Path& build);

  const Path& path() const { return path_; }
  // Renames it to `target`; if somebody else was faster, theirs stays and ours goes.
  Status keep_as(const Path& target);

 private:
  StagingFolder(Fs& fs, MakingFolder making, Path path)
      : fs_(&fs), making_(std::move(making)), path_(std::move(path)) {}
  Fs* fs_;
  MakingFolder making_;
  Path path_;
};

// The artefact, or nothing if there is none or it is damaged (then it is removed).
Result<std::optional<CpuArtefact>> find_artefact(Fs& fs, const Path& build, const Digest& key);

// Writes build.json beside a kernel.so in `folder`; fills in what follows from its bytes.
Status describe_artefact(Fs& fs, const Path& folder, CpuArtefact& artefact);

}  // namespace forge
