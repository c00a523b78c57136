#include "evolve/chain_journal.h"

namespace forge {

std::string chain_line(const ChainEntry& entry) {
  return record_line(
      {entry.number, entry.at, entry.elapsed_s, std::string(chain_event_type(entry.event))},
      chain_event_data(entry.event));
}

Result<ChainJournal> parse_chain_journal(std::string_view text, std::string_view document) {
  return parse_journal_of<ChainEvent>(text, document, chain_event_from_json);
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
