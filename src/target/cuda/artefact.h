// Compiled CUDA kernels by the digest of all that went into them, as target/cpu/artefact_cache.h
// keeps those for CPUs: <build>/<digest>/ holds kernel.so, kernel.cubin and build.json, whose
// digests guard against a torn write. May know: base, sys, compile.h.
#pragma once

#include <optional>

#include "target/cuda/compile.h"

namespace forge {

inline constexpr std::string_view kCudaObjectName = "kernel.so";
inline constexpr std::string_view kCubinName = "kernel.cubin";

// The artefact, or nothing if there is none or it is damaged (then it is removed).
Result<std::optional<CudaArtefact>> find_cuda_artefact(Fs& fs, const Path& build,
                                                       const Digest& key);

// Writes build.json beside the others in `folder`; fills in what follows from their bytes.
Status describe_cuda_artefact(Fs& fs, const Path& folder, CudaArtefact& artefact);

}  // namespace forge
