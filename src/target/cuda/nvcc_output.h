// What nvcc and the programs behind it printed, in the form that target/cpu/diagnostics.h reads,
// and what ptxas says of each kernel. Pure. May know: base.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

// "kernel.cu(12): error: x" and "ptxas kernel.ptx, line 25; error   : x" become
// "kernel.cu:12: error: x"; quoted source gets g++'s margin, so that it is withheld with its
// message. ptxas's statistics and counts of errors are dropped.
std::string like_gcc(std::string_view nvcc_output);

// Names from the linker's "undefined reference to `x'", each once, in order.
std::vector<std::string> undefined_references(std::string_view output);

// What `ptxas -v` says of one kernel and a cubin does not.
struct PtxasFacts {
  std::uint32_t registers = 0;
  std::uint32_t stack_bytes = 0;
  std::uint32_t spill_store_bytes = 0;
  std::uint32_t spill_load_bytes = 0;
  bool operator==(const PtxasFacts&) const = default;
};
std::map<std::string, PtxasFacts> parse_ptxas_facts(std::string_view output);

// Files that a preprocessed source entered, by its line markers ("# 1 \"/usr/include/x.h\" 1").
std::vector<std::string> entered_files(std::string_view preprocessed);

}  // namespace forge
