// Where CUTLASS's headers are: FK_CUTLASS, else what tests/cuda/get_cutlass.sh has fetched.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace forge {

inline constexpr const char* kNoCutlass =
    "no CUTLASS headers: run tests/cuda/get_cutlass.sh, or set FK_CUTLASS to their folder";

inline std::optional<std::filesystem::path> cutlass_headers() {
  const char* chosen = std::getenv("FK_CUTLASS");
  const std::filesystem::path folder =
      chosen != nullptr && *chosen != '\0'
          ? std::filesystem::path(chosen)
          : std::filesystem::path(FORGE_BINARY_DIR) / "cutlass/cutlass_library/source/include";
  if (!std::filesystem::exists(folder / "cutlass/cutlass.h")) return std::nullopt;
  return folder;
}

}  // namespace forge
