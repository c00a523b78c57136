#include "evolve/chain_journal.h"

namespace forge {

std::string chain_line(const ChainEntry& entry) {
  return record_line(
      {entry.number, entry.at, entry.elapsed_s, std::string(chain_event_type(entry.event))},
      chain_event_data(entry.event));
}

Result<ChainJournal> parse_chain_journal(std::string_view text, std::string_view document) {
  ChainJournal journal;
  const auto take = [&](RecordHead head, const Json& data, const std::string& place) -> Status {
    FORGE_TRY(auto event, chain_event_from_json(head.type, data, place));
    journal.entries.push_back({head.number, std::move(head.at), head.elapsed_s, std::move(event)});
    return {};
  };
  FORGE_TRY(auto read, read_records(text, document, take));
  journal.whole_bytes = read.whole_bytes;
  journal.notice = std::move(read.notice);
  return journal;
}

Result<ChainJournal> read_chain_journal(FileReader& fs, const Path& path) {
  FORGE_TRY(const auto text, fs.read(path));
  return parse_chain_journal(text, path.string());
}

Result<ChainState> fold(const ChainJournal& journal) {
  ChainState state;
  for (const ChainEntry& entry : journal.entries) {
    FORGE_TRY(state, apply(std::move(state), entry));
  }
  return state;
}

}  // namespace forge
