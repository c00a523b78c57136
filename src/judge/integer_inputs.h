// Whether an oracle's integer inputs keep what the signature promises of them. Pure. May know:
// base, problem/instance.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "problem/instance.h"

namespace forge {

// What is wrong, in words; nullopt for a tensor in order. `bytes` hold it in its own strides.
std::optional<std::string> fault_of_integers(const ConcreteTensor& tensor, std::string_view bytes);

}  // namespace forge
