// Journals of runs; see fuzz_record.h.
#include <cstddef>
#include <cstdint>

#include "fuzz_record.h"
#include "run/state.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forge::check_record(
      {reinterpret_cast<const char*>(data), size}, forge::parse_journal, forge::event_from_json,
      [](const forge::Event& event) { return forge::journal_line({1, "now", 0, event}); });
  return 0;
}
