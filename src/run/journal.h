// The run's record: one numbered, checksummed event a line, synced before anything relies on it.
// May know: base, sys. Format and recovery: docs/formats/journal.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "run/event.h"
#include "run/record.h"
#include "sys/fs.h"

namespace forge {

using JournalEntry = EntryOf<Event>;
using Journal = JournalOf<Event>;

// The line without its newline.
std::string journal_line(const JournalEntry& entry);

// A torn last line (cut short, or not what its checksum says) is dropped with a notice. A bad
// checksum, a gap in the numbers or an unreadable event anywhere else is an error that names the
// line. `document` names the text in messages.
Result<Journal> parse_journal(std::string_view text, std::string_view document);
Result<Journal> read_journal(FileReader& fs, const Path& path);

class JournalWriter {
 public:
  // Cuts off a torn last line and goes on behind the last whole one.
  static Result<JournalWriter> open(Fs& fs, const Path& path, const Journal& journal);

  // Returns when the event is durable. After an error the file may end in a torn line: open anew.
  Result<JournalEntry> append(Event event, std::string at, double elapsed_s);

 private:
  explicit JournalWriter(RecordWriter writer) : writer_(std::move(writer)) {}

  RecordWriter writer_;
};

}  // namespace forge
