#include "target/cpu/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "sys/lies_within.h"

namespace forge {
namespace {

enum class Severity { kError, kWarning, kNote };

struct Marker {
  std::string_view text;
  Severity severity;
};
constexpr auto kMarkers = std::to_array<Marker>({
    {"fatal error: ", Severity::kError},
    {"internal compiler error: ", Severity::kError},
    {"sorry, unimplemented: ", Severity::kError},
    {"Fatal error: ", Severity::kError},
    {"error: ", Severity::kError},
    {"Error: ", Severity::kError},
    {"warning: ", Severity::kWarning},
    {"Warning: ", Severity::kWarning},
    {"note: ", Severity::kNote},
});

struct Message {
  std::size_t begin = 0;  // of the text behind the marker
  Severity severity = Severity::kError;
};

// Quoted source, carets and suggested insertions: "   12 | code", "      | ^~~", "  +++ |+code".
bool is_snippet(std::string_view line) {
  const std::size_t bar = line.find('|');
  return bar != std::string_view::npos &&
         line.substr(0, bar).find_first_not_of(" 0123456789+") == std::string_view::npos;
}

// The message of a line "place: severity: text" or "severity: text".
std::optional<Message> find_message(std::string_view line) {
  std::optional<Message> found;
  for (const Marker& marker : kMarkers) {
    const std::size_t at = line.find(marker.text);
    if (at == std::string_view::npos) continue;
    if (at != 0 && !line.substr(0, at).ends_with(": ")) continue;
    const std::size_t begin = at + marker.text.size();
    if (!found || begin < found->begin) found = Message{begin, marker.severity};
  }
  return found;
}

// "path" of "path:12:3: …", "path:12: …" and "path: In function …"; empty if there is no place.
std::string_view place_of(std::string_view line) {
  for (const std::string_view scope : {": In ", ": At "}) {
    const std::size_t at = line.find(scope);
    if (at != std::string_view::npos && line.find(' ') > at) return line.substr(0, at);
  }
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    const std::size_t digits_end = line.find_first_not_of("0123456789", colon + 1);
    if (digits_end == std::string_view::npos || digits_end == colon + 1) continue;
    if (line[digits_end] == ':' || line[digits_end] == ',') return line.substr(0, colon);
  }
  return {};
}

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_./+-~@").find(c) != std::string_view::npos;
}

std::string shorten_paths(std::string_view line) {
  std::string out;
  std::size_t i = 0;
  while (i < line.size()) {
    std::size_t end = i;
    while (end < line.size() && is_path_character(line[end])) ++end;
    if (end == i) {
      out += line[i++];
      continue;
    }
    std::string_view token = line.substr(i, end - i);
    const std::size_t slash = token.rfind('/');
    const bool is_path =
        token.starts_with('/') || token.starts_with("./") || token.starts_with("../");
    if (is_path && slash + 1 < token.size()) token = token.substr(slash + 1);
    out += token;
    i = end;
  }
  return out;
}

struct Block {
  std::vector<std::string> lines;
  std::optional<Severity> severity;  // none: no line had one (a linker's or a dying compiler's)
  bool withheld = false;
  std::size_t errors = 0;

  bool is_error() const { return !severity || *severity == Severity::kError; }
  std::string text() const { return join(lines, "\n") + "\n"; }
};

class BlockReader {
 public:
  explicit BlockReader(const std::vector<std::filesystem::path>& visible) : visible_(visible) {}

  void add(const std::string& line) {
    if (trim(line).empty()) return;
    if (is_snippet(line)) {
      if (!current().withheld) current().lines.push_back(line);
      return;
    }
    const std::string_view place = place_of(line);
    const bool foreign = !place.empty() && place.find('/') != std::string_view::npos &&
                         !line.starts_with("In file included from") &&
                         !trim(line).starts_with("from ") && !lies_within_any(place, visible_);
    const auto message = find_message(line);
    const Severity severity = message ? message->severity : Severity::kError;
    if (begins_block(message.has_value(), severity)) blocks_.emplace_back();
    if (message && !(current().severity && severity == Severity::kNote)) {
      current().severity = severity;
      current().errors += severity == Severity::kError ? 1 : 0;
    }
    current().withheld = foreign;
    current().lines.push_back(foreign ? withheld_line(place) : shorten_paths(line));
  }

  std::vector<Block> take() { return std::move(blocks_); }

 private:
  // A note belongs to what it follows; anything else behind a message is a message's first line.
  bool begins_block(bool has_message, Severity severity) {
    if (blocks_.empty() || !current().severity) return false;
    return !(has_message && severity == Severity::kNote);
  }

  static std::string withheld_line(std::string_view place) {
    return fmt::format("{}: text withheld, since a kernel may not include this file",
                       std::filesystem::path(place).filename().string());
  }

  Block& current() {
    if (blocks_.empty()) blocks_.emplace_back();
    return blocks_.back();
  }

  const std::vector<std::filesystem::path>& visible_;
  std::vector<Block> blocks_;
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The part of a line that only the compiler itself can have written, or nothing.
std::string_view own_words(std::string_view line) {
  if (is_snippet(line)) return {};
  if (place_of(line).empty()) return line;
  const auto message = find_message(line);
  if (!message) return {};
  const std::string_view text = line.substr(message->begin);
  for (const std::string_view start : {"error writing to ", "closing dependency file ",
                                       "opening dependency file ", "opening output file "}) {
    if (text.starts_with(start)) return text;
  }
  return {};
}

std::optional<CompilerFailure> failure_in(std::string_view words) {
  if (contains(words, "No space left on device") || contains(words, "Disk quota exceeded")) {
    return CompilerFailure::kDiskFull;
  }
  if (contains(words, "Read-only file system")) return CompilerFailure::kReadOnlyDisk;
  if (contains(words, "File size limit exceeded") || contains(words, "File too large")) {
    return CompilerFailure::kTooLarge;
  }
  if (contains(words, "out of memory") || contains(words, "memory exhausted") ||
      contains(words, "std::bad_alloc") || contains(words, "Cannot allocate memory")) {
    return CompilerFailure::kTooMuchMemory;
  }
  if (contains(words, "Killed signal terminated program")) return CompilerFailure::kKilled;
  return std::nullopt;
}

}  // namespace

CompilerFailure classify_failure(std::string_view compiler_output) {
  for (const std::string& line : split_lines(compiler_output)) {
    if (const auto failure = failure_in(own_words(line))) return *failure;
  }
  return CompilerFailure::kKernel;
}

namespace {

// The file of "fatal error: <file>: Permission denied", "Error: file not found: <file>" and their
// like; empty if the message is another.
std::string_view missing_file(std::string_view message) {
  for (const std::string_view end : {": Permission denied", ": No such file or directory"}) {
    if (!message.ends_with(end)) continue;
    std::string_view file = message.substr(0, message.size() - end.size());
    constexpr std::string_view kAssembler = "can't open ";
    constexpr std::string_view kReading = " for reading";
    if (file.starts_with(kAssembler)) file.remove_prefix(kAssembler.size());
    if (file.ends_with(kReading)) file.remove_suffix(kReading.size());
    return file;
  }
  constexpr std::string_view kIncbin = "file not found: ";
  return message.starts_with(kIncbin) ? message.substr(kIncbin.size()) : std::string_view();
}

bool leads_away(const std::filesystem::path& file) {
  return file.is_absolute() || *file.lexically_normal().begin() == "..";
}

}  // namespace

std::optional<std::filesystem::path> file_out_of_reach(
    std::string_view compiler_output, const std::vector<std::filesystem::path>& visible) {
  for (const std::string& line : split_lines(compiler_output)) {
    if (is_snippet(line)) continue;
    const auto message = find_message(line);
    if (!message || message->severity != Severity::kError) continue;
    const std::string_view text = trim(std::string_view(line).substr(message->begin));
    const std::filesystem::path file = missing_file(text);
    if (file.empty() || (file.is_absolute() && lies_within_any(file, visible))) continue;
    if (leads_away(file) || text.ends_with(": Permission denied")) return file;
  }
  return std::nullopt;
}

std::string reduce_diagnostics(std::string_view compiler_output,
                               const std::vector<std::filesystem::path>& visible,
                               std::size_t max_bytes) {
  BlockReader reader(visible);
  for (const std::string& line : split_lines(printable(compiler_output))) reader.add(line);
  std::vector<Block> blocks = reader.take();
  const auto is_error = [](const Block& block) { return block.is_error(); };
  if (std::any_of(blocks.begin(), blocks.end(), is_error)) {
    std::erase_if(blocks, [](const Block& block) { return !block.is_error(); });
  }
  constexpr std::size_t kRoomForCount = 48;
  const std::size_t room = max_bytes > kRoomForCount ? max_bytes - kRoomForCount : 0;
  std::string out;
  std::size_t cut_errors = 0;
  for (const Block& block : blocks) {
    const std::string text = block.text();
    if (out.empty() && text.size() > room) {
      constexpr std::size_t kRoomForClipNote = 64;
      out = clip(text, room > kRoomForClipNote ? room - kRoomForClipNote : 0) + "\n";
    } else if (cut_errors == 0 && out.size() + text.size() <= room) {
      out += text;
    } else {
      cut_errors += std::max<std::size_t>(block.errors, 1);
    }
  }
  if (cut_errors > 0) out += fmt::format("[{} more not shown]\n", cut_errors);
  return out;
}

}  // namespace forge
