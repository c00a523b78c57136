// The corpus of CPU kernels that try to fool the judge, and of honest ones: what the comment at the
// top of each says of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"

namespace forge {

struct CheatCase {
  std::filesystem::path file;
  std::map<std::string, std::string> said;  // "kind" -> "no-work"

  std::string name() const { return file.stem().string(); }
  std::string get(const std::string& key, const std::string& otherwise = "") const {
    const auto found = said.find(key);
    return found == said.end() ? otherwise : found->second;
  }
  // "wrong | refused": where a thread is caught is up to the scheduler.
  std::vector<std::string> any_of(const std::string& key) const {
    std::vector<std::string> values;
    for (const std::string& value : split(get(key), '|')) values.emplace_back(trim(value));
    return values;
  }
  // What is compiled: one file, with kit.h in its place.
  std::string source() const;
};

inline std::filesystem::path corpus_folder() {
  return std::filesystem::path(FORGE_SOURCE_DIR) / "tests/cheats";
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

inline std::string CheatCase::source() const {
  constexpr std::string_view kInclude = "#include \"kit.h\"\n";
  std::string text = text_of(file);
  const auto at = text.find(kInclude);
  if (at != std::string::npos) {
    text.replace(at, kInclude.size(), text_of(corpus_folder() / "kit.h"));
  }
  return text;
}

// "// key: value" lines from the top of the file to the first that is none.
inline CheatCase read_case(const std::filesystem::path& file) {
  CheatCase read{file, {}};
  for (const std::string& line : split_lines(text_of(file))) {
    const auto colon = line.find(": ");
    if (!line.starts_with("// ") || colon == std::string::npos) break;
    read.said[line.substr(3, colon - 3)] = std::string(trim(line.substr(colon + 2)));
  }
  return read;
}

// Below tests/cheats/, by name.
inline std::vector<CheatCase> read_corpus(const std::string& folder) {
  std::vector<CheatCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder() / folder)) {
    if (entry.path().extension() == ".cpp") cases.push_back(read_case(entry.path()));
  }
  std::sort(cases.begin(), cases.end(),
            [](const CheatCase& a, const CheatCase& b) { return a.file < b.file; });
  return cases;
}

inline void PrintTo(const CheatCase& cheat, std::ostream* out) { *out << cheat.name(); }

inline std::string case_name(const testing::TestParamInfo<CheatCase>& info) {
  return info.param.name();
}

}  // namespace forge
