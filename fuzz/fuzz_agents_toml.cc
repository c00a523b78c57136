// agents.toml: no input crashes the reader, and what is accepted is read back as it was written.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "agent/config.h"
#include "base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = forge::parse_agents(text, "agents.toml");
  if (!config) {
    FORGE_CHECK(config.error().message().find('\n') == std::string::npos);
    return 0;
  }
  const auto written = forge::write_agents(*config);
  const auto again = forge::parse_agents(written, "agents.toml");
  FORGE_CHECK(again.has_value());
  FORGE_CHECK(forge::write_agents(*again) == written);
  return 0;
}
