#include "run/journal.h"

#include <fmt/format.h>

#include "base/digest.h"

namespace forge {
namespace {

constexpr std::string_view kChecksumKey = R"(,"crc":")";
constexpr std::size_t kChecksumBytes = kChecksumKey.size() + 8 + 2;  // key, digits, quote and brace

std::string checksum_tail(std::string_view body) {
  return fmt::format("{}{:08x}\"}}", kChecksumKey, crc32c(body));
}

bool checksum_holds(std::string_view line) {
  if (line.size() < kChecksumBytes) return false;
  const auto body = line.substr(0, line.size() - kChecksumBytes);
  return line.substr(body.size()) == checksum_tail(body);
}

Error corrupt(const std::string& document, std::string cause) {
  return Error{ErrorKind::kCorrupt, "cannot read", document, std::move(cause),
               "restore the file from a copy, or start a new run"};
}

Result<JournalEntry> parse_line(std::string_view line, const std::string& document) {
  FORGE_TRY(const Json json, parse_json(line, document));
  const JsonReader reader(json, document);
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys({"n", "at", "elapsed_s", "type", "data", "crc"}));
  JournalEntry entry;
  FORGE_TRY(const auto number, reader.integer("n"));
  entry.number = static_cast<int>(number);
  FORGE_TRY(entry.at, reader.string("at"));
  FORGE_TRY(entry.elapsed_s, reader.number("elapsed_s"));
  FORGE_TRY(const auto type, reader.string("type"));
  const Json* data = json.find("data");
  if (data == nullptr) return corrupt(document, "'data' is missing");
  FORGE_TRY(entry.event, event_from_json(type, *data, document));
  return entry;
}

}  // namespace

std::string journal_line(const JournalEntry& entry) {
  Json json = Json::object();
  json.set("n", entry.number);
  json.set("at", entry.at);
  json.set("elapsed_s", entry.elapsed_s);
  json.set("type", event_type(entry.event));
  json.set("data", event_data(entry.event));
  auto line = json.dump();
  line.pop_back();  // the closing brace: the checksum is the last member
  return line + checksum_tail(line);
}

Result<Journal> parse_journal(std::string_view text, std::string_view document) {
  Journal journal;
  while (journal.whole_bytes < text.size()) {
    const auto rest = text.substr(journal.whole_bytes);
    const auto line_end = rest.find('\n');
    const auto line = rest.substr(0, line_end);
    const int number = static_cast<int>(journal.entries.size()) + 1;
    const auto place = fmt::format("{}:{}", document, number);
    const bool is_last = line_end == std::string_view::npos || line_end + 1 == rest.size();
    if (line_end == std::string_view::npos || !checksum_holds(line)) {
      if (!is_last) return corrupt(place, "the line is not what its checksum says");
      journal.notice = fmt::format("{}: dropped a torn last line of {} bytes", place, rest.size());
      return journal;
    }
    FORGE_TRY(auto entry, parse_line(line, place));
    if (entry.number != number) {
      return corrupt(place, fmt::format("event {} where {} should be", entry.number, number));
    }
    journal.entries.push_back(std::move(entry));
    journal.whole_bytes += line_end + 1;
  }
  return journal;
}

Result<Journal> read_journal(FileReader& fs, const Path& path) {
  FORGE_TRY(const auto text, fs.read(path));
  return parse_journal(text, path.string());
}

Result<JournalWriter> JournalWriter::open(Fs& fs, const Path& path, const Journal& journal) {
  if (!journal.notice.empty()) FORGE_TRY_STATUS(fs.truncate(path, journal.whole_bytes));
  FORGE_TRY(auto file, fs.open_append(path));
  return JournalWriter(std::move(file), static_cast<int>(journal.entries.size()));
}

Result<JournalEntry> JournalWriter::append(Event event, std::string at, double elapsed_s) {
  JournalEntry entry{last_number_ + 1, std::move(at), elapsed_s, std::move(event)};
  FORGE_TRY_STATUS(file_->append(journal_line(entry) + "\n"));
  FORGE_TRY_STATUS(file_->sync());
  last_number_ = entry.number;
  return entry;
}

}  // namespace forge
