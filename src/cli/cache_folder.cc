#include "cli/cache_folder.h"

namespace forge {

Result<Path> cache_folder(Context& context) {
  Path folder;
  if (const auto xdg = context.environment("XDG_CACHE_HOME"); xdg && xdg->starts_with('/')) {
    folder = Path(*xdg) / "forgekernel";
  } else if (const auto home = context.environment("HOME"); home && home->starts_with('/')) {
    folder = Path(*home) / ".cache" / "forgekernel";
  } else {
    return Error{ErrorKind::kInvalidInput, "cannot find", "a cache folder",
                 "neither XDG_CACHE_HOME nor HOME is an absolute path",
                 "set XDG_CACHE_HOME to a folder that you may write"};
  }
  FORGE_TRY_STATUS(context.fs.make_directories(folder));
  return folder;
}

}  // namespace forge
