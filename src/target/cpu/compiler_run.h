// One run of the compiler on a kernel, confined, and what it means if it fails. May know: base,
// sys, target.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "sys/process.h"
#include "target/cpu/compile.h"
#include "target/cpu/cpp_compiler.h"

namespace forge {

struct CompilerRun {
  const CpuCompileRequest& request;
  const CppCompiler& compiler;
  const std::vector<std::string>& command;
  Path staging;               // where it runs and writes
  std::vector<Path> visible;  // files and folders whose text the kernel's author may see
};

using NotCompiled = std::variant<CompileDiagnostics, CompileRefused>;

// Nothing if the compiler succeeded. An Error is the machine's fault.
Result<std::optional<NotCompiled>> run_compiler(const CompilerRun& run, ProcessRunner& processes);

// The source reads `file`, which it may not.
CompileRefused refused_file(const Path& source, const Path& file);

}  // namespace forge
