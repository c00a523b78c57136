// Kernel sources: no input crashes the scanner, and setting a default changes that default only.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "target/kernel_header.h"
#include "target/tunables.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const auto found = forge::scan_tunables(source, "kernel.cpp");
  if (!found) {
    FORGE_CHECK(found.error().message().find('\n') == std::string::npos);
    return 0;
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    const forge::Tunable& tunable = (*found)[i];
    const std::string& value = tunable.values.back();
    FORGE_CHECK(forge::tunable_header(forge::header_settings({{tunable.name, value}})).has_value());
    const auto again =
        forge::scan_tunables(forge::with_default(source, tunable, value), "kernel.cpp");
    FORGE_CHECK(again && again->size() == found->size());
    FORGE_CHECK((*again)[i].default_value == value);
    FORGE_CHECK((*again)[i].values == tunable.values);
  }
  return 0;
}
