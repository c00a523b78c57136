// Machine instructions of kernels, counted by class, from a disassembler's listing. May know: base,
// sys. A toolkit need not have a disassembler; then nothing is counted, and that is said.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"
#include "target/cuda/toolkit.h"

namespace forge {

// By class: "HGMMA", "LDG.128", "BAR", …; every class has an entry.
using SassCounts = std::map<std::string, std::uint64_t>;

// The class that an instruction counts for, and empty if for none: "LDG.E.128.CONSTANT" ->
// "LDG.128".
std::string_view sass_class(std::string_view mnemonic);

// By mangled kernel name, of what `nvdisasm -c` prints.
std::map<std::string, SassCounts> count_sass(std::string_view listing);

// FK_NVDISASM, else the toolkit's own, else the one in PATH; nullopt if none runs.
std::optional<std::string> find_disassembler(const CudaToolkit& toolkit, Fs& fs,
                                             ProcessRunner& processes);
Result<std::map<std::string, SassCounts>> disassemble(const std::string& disassembler,
                                                      const Path& cubin, ProcessRunner& processes);

}  // namespace forge
