// The list of files that a compilation read, as `-MD` writes it. Pure. May know: base.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace forge {

// The prerequisites of the only rule in a makefile fragment: "kernel.so: a.cpp b.h \\\n c.h".
std::vector<std::filesystem::path> parse_dependencies(std::string_view makefile);

}  // namespace forge
