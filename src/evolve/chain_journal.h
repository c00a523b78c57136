// The chain's record on disk. May know: run/record.h, chain_state.h. Format: docs/formats/chain.md.
#pragma once

#include <string>
#include <vector>

#include "evolve/chain_state.h"
#include "run/record.h"

namespace forge {

struct ChainJournal {
  std::vector<ChainEntry> entries;
  std::uint64_t whole_bytes = 0;
  std::string notice;  // not empty: a torn last line was dropped
};

std::string chain_line(const ChainEntry& entry);
Result<ChainJournal> parse_chain_journal(std::string_view text, std::string_view document);
Result<ChainJournal> read_chain_journal(FileReader& fs, const Path& path);
Result<ChainState> fold(const ChainJournal& journal);

}  // namespace forge
