#include "target/cpu/dependencies.h"

#include <string>

namespace forge {

// Make's quoting as GCC writes it: backslash before space, tab, '#' and newline; '$$' for '$'.
std::vector<std::filesystem::path> parse_dependencies(std::string_view makefile) {
  std::vector<std::filesystem::path> files;
  const std::size_t colon = makefile.find(": ");
  if (colon == std::string_view::npos) return files;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) files.emplace_back(name);
    name.clear();
  };
  for (std::size_t i = colon + 1; i < makefile.size(); ++i) {
    const char c = makefile[i];
    const char next = i + 1 < makefile.size() ? makefile[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      finish();
      ++i;
    } else if ((c == '\\' && (next == ' ' || next == '\t' || next == '#')) ||
               (c == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      finish();
    } else {
      name += c;
    }
  }
  finish();
  return files;
}

}  // namespace forge
