// Which C++ compiler there is, and what makes its output differ from another's. May know: base,
// sys.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

enum class Assembler { kGnu, kOwn };

struct CppCompiler {
  std::string program;  // "g++"
  std::string version;  // "g++ (Debian 12.2.0-14) 12.2.0"
  // Everything it says of itself and of what -march=native means here: part of cache keys.
  std::string identity;
  std::vector<Path> include_folders;  // its own
  std::vector<Path> toolchain;        // folders that it reads and runs programs from
  Assembler assembler = Assembler::kGnu;
};

// FK_CXX, else the first of g++ and c++ that starts.
Result<CppCompiler> identify_cpp_compiler(Fs& fs, ProcessRunner& processes);

// The folders listed by `-E -v`, made lexically normal.
std::vector<Path> parse_include_folders(std::string_view verbose_output);

// Folders of programs and libraries, from the same output, and those that every system has.
std::vector<Path> parse_toolchain(std::string_view verbose_output);

// All that a compiler is told of our environment: PATH. Variables that add folders to its searches
// would let the same command mean something else on another day.
std::vector<std::pair<std::string, std::string>> compiler_environment();

}  // namespace forge
