// Which names a signature, a shape and a problem may use, and why not. Pure. May know: base.
#pragma once

#include <string>
#include <string_view>

namespace forge {

// Dims, scalars and tensors share one namespace and become members of C++ structs. Returns why
// `name` can't be one ("is a C++ keyword"), or an empty string.
std::string why_not_member_name(std::string_view name);

// Names of problems, shapes and input groups become parts of paths and of reports. Returns why
// `name` can't be one, or an empty string.
std::string why_not_label(std::string_view name);

}  // namespace forge
