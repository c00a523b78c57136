// Whatever parses must read back the same from both of our texts; whatever does not must be
// refused in one line.
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = forge::parse_json(text, "fuzz.json");
  if (!json) {
    const std::string message = json.error().message();
    FORGE_CHECK(!json.error().cause.empty() && message.find('\n') == std::string::npos);
    return 0;
  }
  const auto compact = forge::parse_json(json->dump(), "compact");
  const auto pretty = forge::parse_json(json->dump_pretty(), "pretty");
  FORGE_CHECK(compact && *compact == *json);
  FORGE_CHECK(pretty && *pretty == *json);
  FORGE_CHECK(compact->dump() == json->dump());
  return 0;
}
