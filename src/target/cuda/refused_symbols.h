// Functions of CUDA and its libraries that a candidate may not call, and what to use instead. Pure.
// May know: base.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace forge {

// Whether a name that nothing defines is one of CUDA's or its libraries'.
bool is_cuda_name(std::string_view symbol);

// "it calls cudaMalloc: …" for the CUDA names among what a candidate leaves undefined; nothing if
// there is none.
std::optional<std::string> refuse_undefined(std::span<const std::string> undefined);

}  // namespace forge
