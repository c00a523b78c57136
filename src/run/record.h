// Lines of a record that survives a kill at any byte: numbered, checksummed, synced before anything
// relies on them. Journals of runs and of chains are made of them. May know: base, sys. Format and
// recovery: docs/formats/journal.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "sys/fs.h"

namespace forge {

struct RecordHead {
  int number = 0;        // from 1, without gaps
  std::string at;        // UTC
  double elapsed_s = 0;  // time that drivers spent so far
  std::string type;
};

struct RecordsRead {
  int lines = 0;
  std::uint64_t whole_bytes = 0;  // what lies behind is a torn line
  std::string notice;             // not empty: a torn last line was dropped
};

// The line without its newline.
std::string record_line(const RecordHead& head, Json data);

// Takes one line; `place` names it in messages.
using TakeRecord =
    std::function<Status(RecordHead head, const Json& data, const std::string& place)>;

// A torn last line (cut short, or not what its checksum says) is dropped with a notice. A bad
// checksum or a gap in the numbers anywhere else, and whatever `take` refuses, is an error that
// names the line. `document` names the text in messages.
Result<RecordsRead> read_records(std::string_view text, std::string_view document,
                                 const TakeRecord& take);

// A journal of one kind of event; `Event` is a variant.
template <typename Event>
struct EntryOf {
  int number = 0;        // from 1, without gaps
  std::string at;        // UTC
  double elapsed_s = 0;  // time that drivers spent so far
  Event event;
};

template <typename Event>
struct JournalOf {
  std::vector<EntryOf<Event>> entries;
  std::uint64_t whole_bytes = 0;  // what lies behind is a torn line
  std::string notice;             // not empty: a torn last line was dropped
};

// Errors as of read_records(); `parse(type, data, place)` gives the event of a line.
template <typename Event, typename Parse>
Result<JournalOf<Event>> parse_journal_of(std::string_view text, std::string_view document,
                                          Parse parse) {
  JournalOf<Event> journal;
  const auto take = [&](RecordHead head, const Json& data, const std::string& place) -> Status {
    FORGE_TRY(auto event, parse(head.type, data, place));
    journal.entries.push_back({head.number, std::move(head.at), head.elapsed_s, std::move(event)});
    return {};
  };
  FORGE_TRY(auto read, read_records(text, document, take));
  journal.whole_bytes = read.whole_bytes;
  journal.notice = std::move(read.notice);
  return journal;
}

class RecordWriter {
 public:
  // Cuts off a torn last line and goes on behind the last whole one, which is number `last`.
  static Result<RecordWriter> open(Fs& fs, const Path& path, std::uint64_t whole_bytes,
                                   std::string_view notice, int last);

  // Returns its number when it is durable. After an error the file may end in a torn line: open
  // anew.
  Result<int> append(std::string at, double elapsed_s, std::string_view type, Json data);

 private:
  RecordWriter(std::unique_ptr<AppendFile> file, int last)
      : file_(std::move(file)), last_number_(last) {}

  std::unique_ptr<AppendFile> file_;
  int last_number_ = 0;
};

}  // namespace forge
