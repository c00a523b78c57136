// Turns a CUDA kernel into a shared object of host code, linked against the recording runtime, and
// a cubin of device code: one call of nvcc in one place makes both. May know: base, sys, problem,
// target.
//
// A kernel is one file. It may include what lies in the folders of the request, what the C++
// compiler and the toolkit call their own; a file from anywhere else is refused, and what it holds
// is kept out of diagnostics. The same inputs give the same bytes.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "target/cpu/compile.h"
#include "target/cuda/nvcc_output.h"
#include "target/cuda/toolkit.h"

namespace forge {

struct CudaCompileRequest : KernelCompileRequest {
  std::string arch;  // "sm_90a"
  Path recorder;     // folder of libforge_cuda.so
};

struct CudaArtefact {
  Path shared_object;
  Path cubin;
  Digest source_digest;  // of everything that went in: equal digests, equal artefacts
  Digest object_digest;  // of the shared object's bytes
  Digest cubin_digest;
  std::vector<std::string> command;
  std::string compiler;                     // "nvcc 13.0.88, g++ (Debian 12.2.0-14) 12.2.0"
  std::map<std::string, PtxasFacts> ptxas;  // by mangled kernel name
};

using CudaCompileOutcome = std::variant<CudaArtefact, CompileDiagnostics, CompileRefused>;

// An Error means that there is no disk, no memory, …: never the kernel's fault.
Result<CudaCompileOutcome> compile_for_cuda(const CudaCompileRequest& request,
                                            const CudaToolkit& toolkit, Fs& fs,
                                            ProcessRunner& processes);

}  // namespace forge
