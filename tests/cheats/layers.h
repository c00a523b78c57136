// The layers that catch the corpus, and how a verdict's reason shows which one it was.
#pragma once

#include <array>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace forge {

struct Layer {
  std::string_view name;
  const char* shown_by;  // an expression that the reason holds
};

inline constexpr auto kLayers = std::to_array<Layer>({
    {"confined compiler", "lies outside what a kernel may read while it is compiled"},
    {"limits on the compiler", "the compiler did not finish|would be larger than|In file included"},
    {"linker", "does not compile:[^]*ld: "},
    {"image inspection", "shared object is refused"},
    {"system-call filter", "made the system call|made a system call"},
    {"resource limits", "wrote to a null pointer"},
    {"limit on a call", "had not returned"},
    {"the process must live", "ended its process|Aborted"},
    {"the pages excuse nothing", "ended its process \\(exit code 125\\)"},
    {"guard pages", "past the end of|before the start of"},
    {"canaries", "wrote outside"},
    {"untouched guard pages", "opened the guard page"},
    {"read-only inputs", "was modified"},
    {"sample before the stop", "still changed after forge_launch had returned"},
    {"outputs untouched until the call", "before it was called"},
    {"work before the call is counted",
     "worked for .* before it was called|kept its process from being ready"},
    {"rest between calls", "still at work"},
    // One comparison with the oracle, and what makes it see.
    {"every output verified", "elements of"},
    {"poison", "is nan|is 3\\.396\\d*e\\+38"},
    {"calibrated tolerance", "\\(error .*, allowed "},
    {"input groups", "group '"},
    {"secret seeds", "elements of"},
    {"fresh contents", "elements of"},
    {"expected values elsewhere", "elements of"},
});

inline const Layer* find_layer(std::string_view name) {
  for (const Layer& layer : kLayers) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

inline bool shows(const std::string& reason, const Layer& layer) {
  return std::regex_search(reason, std::regex(layer.shown_by));
}

}  // namespace forge
