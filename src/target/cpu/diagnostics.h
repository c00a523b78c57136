// Reads what a compiler printed: whose fault it was, and what of it the author may see. Pure.
// May know: base.
#pragma once

#include <filesystem>
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

// True if `file` is one of `roots` or lies below one, by name alone.
bool lies_within(const std::filesystem::path& file,
                 const std::vector<std::filesystem::path>& roots);

}  // namespace forge
