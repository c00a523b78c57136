// An expression has the same value each time, depends on no more than the names that it lists, and
// is refused in one line.
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/expr.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto expr = forge::Expr::parse(text);
  if (!expr) {
    FORGE_CHECK(expr.error().message().find('\n') == std::string::npos);
    return 0;
  }
  FORGE_CHECK(expr->text() == text);
  forge::Bindings bindings;
  std::int64_t next = -3;
  for (const std::string& name : expr->names()) bindings[name] = next += 67;
  const auto value = expr->evaluate(bindings);
  if (!value) {
    FORGE_CHECK(value.error().cause.find("unknown name") == std::string::npos);
    return 0;
  }
  const auto again = forge::Expr::parse("(" + expr->text() + ")+0");
  if (!again) return 0;  // the parentheses made it too deep or too long
  FORGE_CHECK(*again->evaluate(bindings) == *value);
  return 0;
}
