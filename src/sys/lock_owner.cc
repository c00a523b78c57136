#include "sys/lock_owner.h"

#include <sys/stat.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/text.h"

namespace forge {
namespace {

// "1: FLOCK  ADVISORY  WRITE 1234 fe:00:11051018 0 EOF", without its number.
enum Field : std::size_t { kKind = 1, kMode = 3, kProcess = 4, kFile = 5, kFields = 6 };

std::vector<std::string> words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> out;
  for (std::string word; stream >> word;) out.push_back(word);
  return out;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int> lock_owner_in(std::string_view proc_locks, std::uint64_t inode) {
  for (const std::string& line : split_lines(proc_locks)) {
    const auto field = words(line);
    if (field.size() < kFields || field[kKind] != "FLOCK" || field[kMode] != "WRITE") continue;
    const std::string& file = field[kFile];
    if (number<std::uint64_t>(std::string_view(file).substr(file.rfind(':') + 1)) != inode) {
      continue;
    }
    const auto process = number<int>(field[kProcess]);
    if (process && *process > 0) return process;
  }
  return std::nullopt;
}

std::optional<int> lock_owner(const Path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  std::ifstream file("/proc/locks");
  std::ostringstream text;
  text << file.rdbuf();
  return lock_owner_in(text.str(), status.st_ino);
}

}  // namespace forge
