// Which forge this is, for --version and reports.
#pragma once

#include <string>

namespace forge {

// "forge 0.1.0", the commit if it was known at build, the compiler; a line each.
std::string version_text();

// "forge 0.1.0"
std::string tool_name();

}  // namespace forge
