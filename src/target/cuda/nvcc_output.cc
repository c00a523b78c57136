#include "target/cuda/nvcc_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::string_view kDigits = "0123456789";

struct Located {
  std::string_view file;
  std::string_view line;
  std::string_view rest;  // "error: …"
};

// "file(12): rest", as cudafe++ and cicc print.
std::optional<Located> in_parentheses(std::string_view text) {
  const std::size_t close = text.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = text.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  const std::string_view line = text.substr(open + 1, close - open - 1);
  if (line.empty() || line.find_first_not_of(kDigits) != std::string_view::npos)
    return std::nullopt;
  return Located{text.substr(0, open), line, text.substr(close + 3)};
}

// "ptxas file, line 24; error   : rest"
std::optional<Located> of_ptxas(std::string_view text) {
  constexpr std::string_view kStart = "ptxas ";
  const std::size_t comma = text.find(", line ");
  const std::size_t semicolon = text.find("; ");
  if (!text.starts_with(kStart) || comma == std::string_view::npos ||
      semicolon == std::string_view::npos || semicolon < comma) {
    return std::nullopt;
  }
  std::string_view file = text.substr(kStart.size(), comma - kStart.size());
  if (file.starts_with("./")) file.remove_prefix(2);
  return Located{file, text.substr(comma + 7, semicolon - comma - 7), text.substr(semicolon + 2)};
}

// "error   : x", "error #20012-D: x", "catastrophic error: x" -> "error: x"; empty if none.
std::string plain_severity(std::string_view rest) {
  for (const std::string_view adjective : {"catastrophic ", "internal "}) {
    if (rest.starts_with(adjective)) rest.remove_prefix(adjective.size());
  }
  for (const std::string_view severity : {"error", "warning", "remark", "note", "fatal"}) {
    if (!rest.starts_with(severity)) continue;
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return "";
    const std::string_view between = rest.substr(severity.size(), colon - severity.size());
    if (between.find_first_not_of(" #0123456789-D") != std::string_view::npos) return "";
    const std::string_view shown = severity == "fatal"    ? "fatal error"
                                   : severity == "remark" ? "note"
                                                          : severity;
    return fmt::format("{}:{}", shown, rest.substr(colon + 1));
  }
  return "";
}

bool is_noise(std::string_view line) {
  if (line.starts_with("ptxas info") || line.starts_with("Remark: ")) return true;
  if (line.find(" detected in the compilation of ") != std::string_view::npos) return true;
  // The second line of ptxas's "Function properties for".
  return line.find(" bytes stack frame, ") != std::string_view::npos;
}

std::uint32_t number_before(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos || at == 0) return 0;
  std::size_t begin = line.find_last_of(' ', at - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return static_cast<std::uint32_t>(
      std::strtoul(std::string(line.substr(begin, at - begin)).c_str(), nullptr, 10));
}

}  // namespace

std::string like_gcc(std::string_view nvcc_output) {
  std::string out;
  bool quoting = false;  // the lines that follow belong to a message of cudafe++
  for (const std::string& line : split_lines(nvcc_output)) {
    if (is_noise(line)) continue;
    auto located = in_parentheses(line);
    if (!located) located = of_ptxas(line);
    const std::string severity = plain_severity(located ? located->rest : line);
    if (located && !severity.empty()) {
      out += fmt::format("{}:{}: {}\n", located->file, located->line, severity);
      quoting = true;
    } else if (line.starts_with("ptxas ") || line.starts_with("nvcc ") ||
               line.starts_with("nvlink ")) {
      const std::size_t space = line.find(' ');
      const std::string tool_severity = plain_severity(std::string_view(line).substr(space + 1));
      out += tool_severity.empty() ? line + "\n"
                                   : fmt::format("{}: {}\n", line.substr(0, space), tool_severity);
      quoting = false;
    } else if (quoting && (trim(line).empty() || line.starts_with(' '))) {
      if (!trim(line).empty()) out += "      | " + line + "\n";
    } else {
      quoting = false;
      out += line + "\n";
    }
  }
  return out;
}

std::vector<std::string> undefined_references(std::string_view output) {
  constexpr std::string_view kWords = "undefined reference to `";
  std::vector<std::string> names;
  for (std::size_t at = output.find(kWords); at != std::string_view::npos;
       at = output.find(kWords, at)) {
    at += kWords.size();
    const std::size_t end = output.find('\'', at);
    if (end == std::string_view::npos) break;
    const std::string name(output.substr(at, end - at));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::map<std::string, PtxasFacts> parse_ptxas_facts(std::string_view output) {
  constexpr std::string_view kEntry = "Compiling entry function '";
  std::map<std::string, PtxasFacts> facts;
  PtxasFacts* current = nullptr;
  for (const std::string& line : split_lines(output)) {
    const std::size_t at = line.find(kEntry);
    if (at != std::string::npos) {
      const std::size_t begin = at + kEntry.size();
      current = &facts[line.substr(begin, line.find('\'', begin) - begin)];
    } else if (current != nullptr && line.find(" bytes stack frame") != std::string::npos) {
      current->stack_bytes = number_before(line, " bytes stack frame");
      current->spill_store_bytes = number_before(line, " bytes spill stores");
      current->spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (current != nullptr && line.find("Used ") != std::string::npos) {
      current->registers = number_before(line, " registers");
      current = nullptr;
    }
  }
  return facts;
}

std::vector<std::string> entered_files(std::string_view preprocessed) {
  std::set<std::string, std::less<>> seen;
  for (std::size_t at = 0; at < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    const std::string_view line = preprocessed.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("# ")) continue;
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close == open) continue;
    const std::string_view flags = line.substr(close + 1);
    if (flags.find(" 1") == std::string_view::npos) continue;
    const std::string_view name = line.substr(open + 1, close - open - 1);
    if (!seen.contains(name)) seen.emplace(name);
  }
  return {seen.begin(), seen.end()};
}

}  // namespace forge
