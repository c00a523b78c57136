// Journals of chains: no input crashes reader or fold, and what is read is written back line by
// line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "evolve/chain_journal.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // As damaged text, and with checksums made to hold, which is what reaches the parsers below.
  const auto journal = forge::parse_chain_journal(text, "chain.jsonl");
  if (journal) {
    FORGE_CHECK(journal->whole_bytes <= text.size());
    const auto state = forge::fold(*journal);
    if (!state) FORGE_CHECK(state.error().message().find('\n') == std::string::npos);
  }
  const auto json = forge::parse_json(text.substr(0, text.find('\n')), "line");
  if (!json) return 0;
  const auto* type = json->find("type");
  const auto* payload = json->find("data");
  if (type == nullptr || type->as_string() == nullptr || payload == nullptr) return 0;
  const auto event = forge::chain_event_from_json(*type->as_string(), *payload, "line");
  if (!event) return 0;
  const auto line = forge::chain_line({1, "now", 0, *event});
  const auto again = forge::parse_chain_journal(line + "\n", "line");
  FORGE_CHECK(again && again->entries.size() == 1);
  FORGE_CHECK(forge::chain_line({1, "now", 0, again->entries[0].event}) == line);
  return 0;
}
