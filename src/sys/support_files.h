// Files of ours that work needs at run time (python/, include/forge/), carried inside the
// executables so that they start on a bare host. May know: base, fs.h.
#pragma once

#include <optional>
#include <string_view>

#include "base/digest.h"
#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// Writes them once to <cache>/support/<digest>/ and returns that folder, which then holds
// python/forge_oracle.py, python/forge_reference.py and include/forge/*.h.
Result<Path> materialise_support_files(Fs& fs, const Path& cache);

// The content of one of them ("include/forge/kernel.h"); nothing if it is not carried.
std::optional<std::string_view> support_file(std::string_view path);

// Of all embedded files together: part of every artefact's cache key.
const Digest& support_files_digest();

}  // namespace forge
