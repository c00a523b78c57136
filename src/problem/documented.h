// For tests: the examples in docs/formats, so that they can't go stale.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"

namespace forge {

// The first block that is fenced as ```<language> in docs/formats/<document>.
inline std::string documented_example(std::string_view document, std::string_view language) {
  std::ifstream file(std::string(FORGE_SOURCE_DIR "/docs/formats/").append(document));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = std::string("```").append(language) + "\n";
  const auto begin = text.find(fence);
  FORGE_CHECK(begin != std::string::npos);
  const auto end = text.find("```\n", begin + fence.size());
  FORGE_CHECK(end != std::string::npos);
  return text.substr(begin + fence.size(), end - begin - fence.size());
}

}  // namespace forge
