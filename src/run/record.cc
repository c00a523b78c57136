#include "run/record.h"

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
               "restore the file from a copy, or start anew"};
}

Status take_line(std::string_view line, int number, const std::string& place,
                 const TakeRecord& take) {
  FORGE_TRY(const Json json, parse_json(line, place));
  const JsonReader reader(json, place);
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys({"n", "at", "elapsed_s", "type", "data", "crc"}));
  RecordHead head;
  FORGE_TRY(const auto given, reader.integer("n"));
  FORGE_TRY(head.at, reader.string("at"));
  FORGE_TRY(head.elapsed_s, reader.number("elapsed_s"));
  FORGE_TRY(head.type, reader.string("type"));
  const Json* data = json.find("data");
  if (data == nullptr) return corrupt(place, "'data' is missing");
  if (given != number) {
    return corrupt(place, fmt::format("event {} where {} should be", given, number));
  }
  head.number = number;
  return take(std::move(head), *data, place);
}

}  // namespace

std::string record_line(const RecordHead& head, Json data) {
  Json json = Json::object();
  json.set("n", head.number);
  json.set("at", head.at);
  json.set("elapsed_s", head.elapsed_s);
  json.set("type", head.type);
  json.set("data", std::move(data));
  auto line = json.dump();
  line.pop_back();  // the closing brace: the checksum is the last member
  return line + checksum_tail(line);
}

Result<RecordsRead> read_records(std::string_view text, std::string_view document,
                                 const TakeRecord& take) {
  RecordsRead read;
  while (read.whole_bytes < text.size()) {
    const auto rest = text.substr(read.whole_bytes);
    const auto line_end = rest.find('\n');
    const auto line = rest.substr(0, line_end);
    const auto place = fmt::format("{}:{}", document, read.lines + 1);
    const bool is_last = line_end == std::string_view::npos || line_end + 1 == rest.size();
    if (line_end == std::string_view::npos || !checksum_holds(line)) {
      if (!is_last) return corrupt(place, "the line is not what its checksum says");
      read.notice = fmt::format("{}: dropped a torn last line of {} bytes", place, rest.size());
      return read;
    }
    FORGE_TRY_STATUS(take_line(line, read.lines + 1, place, take));
    ++read.lines;
    read.whole_bytes += line_end + 1;
  }
  return read;
}

Result<RecordWriter> RecordWriter::open(Fs& fs, const Path& path, std::uint64_t whole_bytes,
                                        std::string_view notice, int last) {
  if (!notice.empty()) FORGE_TRY_STATUS(fs.truncate(path, whole_bytes));
  FORGE_TRY(auto file, fs.open_append(path));
  return RecordWriter(std::move(file), last);
}

Result<int> RecordWriter::append(std::string at, double elapsed_s, std::string_view type,
                                 Json data) {
  const RecordHead head{last_number_ + 1, std::move(at), elapsed_s, std::string(type)};
  FORGE_TRY_STATUS(file_->append(record_line(head, std::move(data)) + "\n"));
  FORGE_TRY_STATUS(file_->sync());
  return last_number_ = head.number;
}

}  // namespace forge
