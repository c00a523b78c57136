#include "run/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace forge {

std::string numbered(int number) { return fmt::format("{:04}", number); }

std::optional<int> parse_numbered(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) return std::nullopt;
  if (text != numbered(number)) return std::nullopt;
  return number;
}

std::string format_run_name(const RunName& name) { return name.problem + "_" + name.id; }

std::optional<RunName> parse_run_name(std::string_view text) {
  const auto underscore = text.rfind('_');
  if (underscore == std::string_view::npos || underscore == 0) return std::nullopt;
  const auto id = text.substr(underscore + 1);
  const auto is_id_character = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
  };
  if (id.size() != 4 || !std::all_of(id.begin(), id.end(), is_id_character)) return std::nullopt;
  return RunName{std::string(text.substr(0, underscore)), std::string(id)};
}

std::string run_id(std::uint64_t entropy) {
  static constexpr std::string_view kAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  std::string id;
  for (int i = 0; i < 4; ++i) {
    id += kAlphabet[entropy % kAlphabet.size()];
    entropy /= kAlphabet.size();
  }
  return id;
}

Path RunPaths::milestones(int version) const {
  return root_ / "milestones" / fmt::format("v{}", version);
}

Path RunPaths::milestone(int version, std::string_view id) const {
  return milestones(version) / fmt::format("{}.toml", id);
}

Path RunPaths::job_candidate(int number) const {
  return job_bundle(number) / "arms" / "candidate" / kKernelFile;
}

Result<std::vector<Path>> find_runs(FileReader& fs, const Path& folder) {
  std::vector<Path> runs;
  if (!fs.is_directory(folder)) return runs;
  FORGE_TRY(const auto names, fs.list(folder));
  for (const auto& name : names) {
    if (parse_run_name(name) && fs.exists(RunPaths(folder / name).journal())) {
      runs.push_back(folder / name);
    }
  }
  return runs;
}

}  // namespace forge
