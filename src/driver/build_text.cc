#include "driver/build_text.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kUnneeded[] = {"-ffile-prefix-map=",    "-frandom-seed=",
                                          "-D__TIMESTAMP__=",      "-Wno-builtin-macro-redefined",
                                          "-fdiagnostics-",        "-Wl,--build-id=",
                                          "-Wl,--version-script=", "-MD"};

bool is_unneeded(std::string_view word) {
  return std::any_of(std::begin(kUnneeded), std::end(kUnneeded),
                     [&](std::string_view start) { return word.starts_with(start); });
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_plain(char c) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPlain.find(c) != std::string_view::npos;
}

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::vector<std::string> portable_command(const std::vector<std::string>& command,
                                          const std::vector<std::string>& problem_includes) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == "-MF" || word == "-I") {
      ++i;
    } else if (i == 0) {
      words.push_back(word);
      words.insert(words.end(), {"-I.", "-Iinclude"});
      for (const std::string& folder : problem_includes) words.push_back("-I" + folder);
    } else if (!is_unneeded(word)) {
      words.push_back(word.starts_with('/') ? file_name(word) : word);
    }
  }
  return words;
}

std::string shell_words(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(shell_word(word));
  return join(quoted, " ");
}

std::string build_text(const std::vector<std::string>& command,
                       const std::vector<std::string>& problem_includes) {
  if (command.empty()) return "# The command is not known: the job's result does not hold it.\n";
  return "# Inside a copy of this folder; `sh build.txt` does it.\n" +
         shell_words(portable_command(command, problem_includes)) +
         "\n\n# Exactly as it was run for the artefact that was measured:\n# " +
         shell_words(command) + "\n";
}

}  // namespace forge
