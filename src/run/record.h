// Lines of a record that survives a kill at any byte: numbered, checksummed, synced before anything
// relies on them. Journals of runs and of chains are made of them. May know: base, sys. Format and
// recovery: docs/formats/journal.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

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
