// Milestones: no input crashes reader, lint or order, and what is accepted is read back as written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "run/milestone.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto milestone = forge::parse_milestone(text, "M0.toml");
  if (!milestone) {
    FORGE_CHECK(milestone.error().message().find('\n') == std::string::npos);
    return 0;
  }
  const bool is_clean = forge::lint_milestones({*milestone}).empty();
  const auto order = forge::row_order(*milestone);
  if (is_clean) FORGE_CHECK(order.size() == milestone->rows.size());
  const auto written = forge::write_milestone(*milestone);
  const auto again = forge::parse_milestone(written, "M0.toml");
  FORGE_CHECK(again.has_value());
  FORGE_CHECK(forge::write_milestone(*again) == written);
  return 0;
}
