// A result that is accepted comes back from its own text unchanged; an error never fails to parse
// into some error.
#include <cstdint>

#include "worker/error_json.h"
#include "worker/result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = forge::parse_json(text, "result.json");
  if (!json) return 0;
  FORGE_CHECK(!forge::error_from_json(*json, "error.json").message().empty());
  const auto result = forge::result_from_json(*json, "result.json");
  if (!result) return 0;
  const forge::Json written = forge::to_json(*result);
  const auto again = forge::parse_json(written.dump(), "result.json");
  FORGE_CHECK(again.has_value());
  const auto back = forge::result_from_json(*again, "result.json");
  FORGE_CHECK(back.has_value());
  FORGE_CHECK(forge::to_json(*back) == written);
  return 0;
}
