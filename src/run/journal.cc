#include "run/journal.h"

#include "run/record.h"

namespace forge {

std::string journal_line(const JournalEntry& entry) {
  return record_line(
      {entry.number, entry.at, entry.elapsed_s, std::string(event_type(entry.event))},
      event_data(entry.event));
}

Result<Journal> parse_journal(std::string_view text, std::string_view document) {
  return parse_journal_of<Event>(text, document, event_from_json);
}

Result<Journal> read_journal(FileReader& fs, const Path& path) {
  FORGE_TRY(const auto text, fs.read(path));
  return parse_journal(text, path.string());
}

Result<JournalWriter> JournalWriter::open(Fs& fs, const Path& path, const Journal& journal) {
  FORGE_TRY(auto writer, RecordWriter::open(fs, path, journal.whole_bytes, journal.notice,
                                            static_cast<int>(journal.entries.size())));
  return JournalWriter(std::move(writer));
}

Result<JournalEntry> JournalWriter::append(Event event, std::string at, double elapsed_s) {
  FORGE_TRY(const int number, writer_.append(at, elapsed_s, event_type(event), event_data(event)));
  return JournalEntry{number, std::move(at), elapsed_s, std::move(event)};
}

}  // namespace forge
