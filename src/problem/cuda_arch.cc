#include "problem/cuda_arch.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace forge {

bool is_cuda_arch(std::string_view text) {
  if (!text.starts_with("sm_")) return false;
  text.remove_prefix(3);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = text.substr(digits);
  return (digits == 2 || digits == 3) && (suffix.empty() || suffix == "a" || suffix == "f");
}

std::string virtual_cuda_arch(std::string_view arch) {
  FORGE_CHECK(is_cuda_arch(arch));
  return "compute_" + std::string(arch.substr(3));
}

std::uint32_t cuda_arch_number(std::string_view arch) {
  FORGE_CHECK(is_cuda_arch(arch));
  return static_cast<std::uint32_t>(std::strtoul(std::string(arch.substr(3)).c_str(), nullptr, 10));
}

}  // namespace forge
