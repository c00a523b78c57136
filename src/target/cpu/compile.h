// Turns a C++ kernel into a shared object for this machine. May know: base, sys, problem, target.
//
// A kernel is one file. It may include what lies in the folders of the request and what the
// compiler calls its own; the compiler runs confined and reaches nothing else, and what a file from
// anywhere else holds is kept out of diagnostics. Whatever visibility the author gave to other
// symbols, only forge_launch and forge_workspace are exported. The same inputs give the same bytes.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

// kOurs is for tests that show what the confinement is there for.
enum class CompilerRights { kConfined, kOurs };

// What every target's compiler is asked for.
struct KernelCompileRequest {
  Path source;          // kernel.cpp or kernel.cu
  Path header_folder;   // holds the generated forge_args.h
  Path include_folder;  // our include/
  std::vector<Path> problem_includes;
  std::vector<std::string> flags;  // the problem's, after ours
  std::string standard = "c++20";
  std::map<std::string, std::string> tunables;
  Path cache;                               // artefacts by digest: <cache>/build/<digest>/
  std::chrono::milliseconds wall{120'000};  // longer: CompileRefused that says so
  CompilerRights rights = CompilerRights::kConfined;
};

struct CpuCompileRequest : KernelCompileRequest {
  std::vector<std::string> libraries;  // trusted references only
};

struct CpuArtefact {
  Path shared_object;
  Digest source_digest;  // of everything that went in: equal digests, equal artefacts
  Digest object_digest;  // of the shared object's bytes
  // The exact command line, run in the folder of `shared_object`, where the files that it names
  // without a folder lie.
  std::vector<std::string> command;
  std::string compiler;  // "g++ (Debian 12.2.0-14) 12.2.0"
};

// What the compiler said of a kernel that it refused: errors first, at most 4 KiB, with paths
// reduced to file names.
struct CompileDiagnostics {
  std::string log;
};

// The kernel tried what its source may not: to read other files, or to wear the compiler out.
struct CompileRefused {
  std::string reason;
};

using CompileOutcome = std::variant<CpuArtefact, CompileDiagnostics, CompileRefused>;
// An Error means that there is no compiler, no disk, …: never the kernel's fault.
Result<CompileOutcome> compile_for_cpu(const CpuCompileRequest& request, Fs& fs,
                                       ProcessRunner& processes);

// FK_CXX, else g++, else c++; an error with the remedy if none is there.
Result<std::string> find_cpp_compiler(Fs& fs, ProcessRunner& processes);

}  // namespace forge
