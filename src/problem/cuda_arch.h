// Names of GPU architectures as nvcc takes them. Pure. May know: base.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace forge {

// "sm_90a".
bool is_cuda_arch(std::string_view text);
// "compute_90a" of "sm_90a". Requires is_cuda_arch.
std::string virtual_cuda_arch(std::string_view arch);
// 90 of "sm_90a". Requires is_cuda_arch.
std::uint32_t cuda_arch_number(std::string_view arch);

}  // namespace forge
