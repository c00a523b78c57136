// The chain's record on disk. May know: run/record.h, chain_state.h. Format: docs/formats/chain.md.
#pragma once

#include <string>
#include <string_view>

#include "evolve/chain_state.h"

namespace forge {

using ChainJournal = JournalOf<ChainEvent>;

std::string chain_line(const ChainEntry& entry);
Result<ChainJournal> parse_chain_journal(std::string_view text, std::string_view document);
Result<ChainJournal> read_chain_journal(FileReader& fs, const Path& path);
Result<ChainState> fold(const ChainJournal& journal);

}  // namespace forge
