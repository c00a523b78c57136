// What holds of every journal, whatever its events: no input crashes reader or fold, and what is
// read is written back line by line.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// `parse(text, document)`, `event_from(type, data, place)` and `line_of(event)` are those of one
// kind of journal; its `fold` is found by its type.
template <typename Parse, typename EventFrom, typename LineOf>
void check_record(std::string_view text, Parse parse, EventFrom event_from, LineOf line_of) {
  // As damaged text, and with checksums made to hold, which is what reaches the parsers below.
  const auto journal = parse(text, "journal");
  if (journal) {
    FORGE_CHECK(journal->whole_bytes <= text.size());
    const auto state = fold(*journal);
    if (!state) FORGE_CHECK(state.error().message().find('\n') == std::string::npos);
  }
  const auto json = parse_json(text.substr(0, text.find('\n')), "line");
  if (!json) return;
  const auto* type = json->find("type");
  const auto* payload = json->find("data");
  if (type == nullptr || type->as_string() == nullptr || payload == nullptr) return;
  const auto event = event_from(*type->as_string(), *payload, "line");
  if (!event) return;
  const std::string line = line_of(*event);
  const auto again = parse(line + "\n", "line");
  FORGE_CHECK(again && again->entries.size() == 1);
  FORGE_CHECK(line_of(again->entries[0].event) == line);
}

}  // namespace forge
