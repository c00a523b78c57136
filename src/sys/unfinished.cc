#include "sys/unfinished.h"

#include <fmt/format.h>

#include <algorithm>

namespace forge {
namespace {

constexpr std::string_view kSuffix = ".tmp";

// Cuts ".<digits>" off the end; false if there is none.
bool drop_number(std::string_view& text) {
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == text.size()) return false;
  const auto digits = text.substr(dot + 1);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return false;
  }
  text = text.substr(0, dot);
  return true;
}

}  // namespace

std::string unfinished_name(std::string_view name, int process, unsigned count) {
  return fmt::format(".{}.{}.{}{}", name, process, count, kSuffix);
}

bool is_unfinished_name(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kSuffix)) return false;
  name = name.substr(1, name.size() - 1 - kSuffix.size());
  return drop_number(name) && drop_number(name) && !name.empty();
}

Status clear_unfinished(Fs& fs, const Path& folder) {
  FORGE_TRY(const auto names, fs.list(folder));
  for (const auto& name : names) {
    const Path path = folder / name;
    if (fs.is_directory(path)) {
      if (name != ".git") FORGE_TRY_STATUS(clear_unfinished(fs, path));
    } else if (is_unfinished_name(name)) {
      FORGE_TRY_STATUS(fs.remove_all(path));
    }
  }
  return {};
}

}  // namespace forge
