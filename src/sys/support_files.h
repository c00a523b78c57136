// Files of ours that work needs at run time (python/, include/forge/), carried inside the
// executables so that they start on a bare host. May know: base, fs.h.
#pragma once

#include "base/digest.h"
#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// Writes them once to <cache>/support/<digest>/ and returns that folder, which then holds
// python/forge_oracle.py, python/forge_reference.py and include/forge/*.h.
Result<Path> materialise_support_files(Fs& fs, const Path& cache);

// Of all embedded files together: part of every artefact's cache key.
const Digest& support_files_digest();

}  // namespace forge
