// Which CUDA toolkit there is, and the recording runtime built by its headers. May know: base, sys,
// cpp_compiler.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "target/cpu/cpp_compiler.h"

namespace forge {

struct CudaToolkit {
  std::string nvcc;                   // program
  std::string version;                // "nvcc 13.0.88"
  std::vector<Path> include_folders;  // its own, the first with cuda_runtime.h
  Path root;                          // holds bin/, include/, nvvm/
  std::string identity;               // what it says of itself: part of cache keys
  CppCompiler host;                   // the C++ compiler behind it
  // Host flags that leave no old stack content in structures (GCC 12, Clang 16); empty without.
  std::string zeroing_flag;
};

// FK_NVCC, else nvcc in PATH, else /usr/local/cuda/bin/nvcc.
Result<CudaToolkit> identify_cuda_toolkit(Fs& fs, ProcessRunner& processes);

// What `nvcc --dryrun` says of its folders.
struct NvccFolders {
  Path root;
  std::vector<Path> include_folders;
};
std::optional<NvccFolders> parse_nvcc_folders(std::string_view dryrun);

// "nvcc 13.0.88" of what `nvcc --version` prints; empty if it says nothing of a release.
std::string parse_nvcc_version(std::string_view text);

// Compiles the recording runtime, once for each toolkit and version of ours, and returns the folder
// that holds it. `support`: materialised support files.
inline constexpr std::string_view kRecorderLibrary = "libforge_cuda.so";
Result<Path> build_recorder(const CudaToolkit& toolkit, const Path& support, const Path& cache,
                            Fs& fs, ProcessRunner& processes);

}  // namespace forge
