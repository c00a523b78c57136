#include "sys/support_files.h"

#include <string>
#include <string_view>

#include "sys/support_table.h"

namespace forge {
namespace {

std::string_view content(const SupportFile& file) {
  return {file.begin, static_cast<std::size_t>(file.end - file.begin)};
}

Digest compute_digest() {
  Hasher hasher;
  for (std::size_t i = 0; i < kSupportFileCount; ++i) {
    hasher.add(std::string_view(kSupportFiles[i].path)).add(content(kSupportFiles[i]));
  }
  return hasher.finish();
}

}  // namespace

const Digest& support_files_digest() {
  static const Digest kDigest = compute_digest();
  return kDigest;
}

std::optional<std::string_view> support_file(std::string_view path) {
  for (std::size_t i = 0; i < kSupportFileCount; ++i) {
    if (path == kSupportFiles[i].path) return content(kSupportFiles[i]);
  }
  return std::nullopt;
}

Result<Path> materialise_support_files(Fs& fs, const Path& cache) {
  const Path folder = cache / "support" / support_files_digest().hex;
  // Written last, so that a folder that has it is whole.
  const Path mark = folder / "complete";
  if (fs.exists(mark)) return folder;
  for (std::size_t i = 0; i < kSupportFileCount; ++i) {
    const Path path = folder / kSupportFiles[i].path;
    FORGE_TRY_STATUS(fs.make_directories(path.parent_path()));
    FORGE_TRY_STATUS(fs.write_atomic(path, content(kSupportFiles[i])));
  }
  FORGE_TRY_STATUS(fs.write_atomic(mark, ""));
  return folder;
}

}  // namespace forge
