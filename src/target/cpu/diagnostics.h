// Reads what a compiler printed: whose fault it was, and what of it the author may see. Pure.
// May know: base.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

enum class CompilerFailure {
  kKernel,         // the source is at fault
  kTooMuchMemory,  // so is it: the compiler met its own limit
  kTooLarge,       // so is it: the object met the limit of file sizes
  kDiskFull,       // the machine is at fault, here and below
  kReadOnlyDisk,
  kKilled,  // by the machine, which ran out of memory
};

// Only lines that no `#error` or assertion of the source can produce decide.
CompilerFailure classify_failure(std::string_view compiler_output);

// At most `max_bytes`: errors first, in the compiler's order, each with its lines of context, paths
// reduced to file names; warnings only if there is no error; then how many errors were cut. The
// text of messages about files outside `visible` (folders or files) is withheld.
std::string reduce_diagnostics(std::string_view compiler_output,
                               const std::vector<std::filesystem::path>& visible,
                               std::size_t max_bytes);

// The first file outside `visible` that the compiler or the assembler was told to read and did not
// get, whether it exists or not: which of both it is is nothing to tell a kernel's author. Files
// that are merely misspelt have no folder that leads away.
std::optional<std::filesystem::path> file_out_of_reach(
    std::string_view compiler_output, const std::vector<std::filesystem::path>& visible);

}  // namespace forge
