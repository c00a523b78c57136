// One run of the compiler on a kernel, confined, and what it means if it fails. May know: base,
// sys, target.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "sys/process.h"
#include "target/cpu/compile.h"

namespace forge {

struct CompilerRun {
  Path source;  // for messages
  std::vector<std::string> command;
  Path staging;                // where it runs and writes
  Path cache;                  // for messages
  std::vector<Path> readable;  // what it may read and execute, besides
  std::vector<Path> visible;   // files and folders whose text the kernel's author may see
  std::chrono::milliseconds wall{0};
  CompilerRights rights = CompilerRights::kConfined;
  std::uint64_t process_memory_bytes = 4ull << 30;
  std::uint64_t tree_memory_bytes = 6ull << 30;
  // What the compiler printed, in g++'s form.
  std::string (*like_gcc)(std::string_view) = nullptr;
};

using NotCompiled = std::variant<CompileDiagnostics, CompileRefused>;

struct CompilerEnd {
  std::string output;                       // both streams
  std::optional<NotCompiled> not_compiled;  // nothing if the compiler succeeded
};

// An Error is the machine's fault.
Result<CompilerEnd> run_compiler(const CompilerRun& run, ProcessRunner& processes);

// Absolute and normal, since the compiler runs in a folder of its own; empty ones stay empty.
Status make_absolute(std::initializer_list<Path*> paths);

// Folders that flags name: "-I/opt/x/include", "-L/opt/x/lib", "-isystem" "/opt/x".
std::vector<Path> folders_of_flags(const std::vector<std::string>& flags);

// The source reads `file`, which it may not.
CompileRefused refused_file(const Path& source, const Path& file);

}  // namespace forge
