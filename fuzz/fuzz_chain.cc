// Journals of chains; see fuzz_record.h.
#include <cstddef>
#include <cstdint>

#include "evolve/chain_journal.h"
#include "fuzz_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forge::check_record({reinterpret_cast<const char*>(data), size}, forge::parse_chain_journal,
                      forge::chain_event_from_json, [](const forge::ChainEvent& event) {
                        return forge::chain_line({1, "now", 0, event});
                      });
  return 0;
}
