#include "target/tunables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace forge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

// A pp-number without its sign: 16, 0x1f, 1'000u, 1e-5f, .5.
bool is_number(std::string_view text) {
  const bool starts = !text.empty() && (is_digit(text[0]) ||
                                        (text[0] == '.' && text.size() > 1 && is_digit(text[1])));
  if (!starts) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    const char before = text[i - 1];
    const bool exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') &&
                               !text.starts_with("0x") && !text.starts_with("0X");
    const bool separator =
        c == '\'' && i + 1 < text.size() && is_word(before) && is_word(text[i + 1]);
    if (!is_word(c) && c != '.' && !exponent_sign && !separator) return false;
  }
  return is_word(text.back()) || text.back() == '.';
}

// kFast, Mode::kFast, ::forge::Mode::kFast.
bool is_qualified_name(std::string_view text) {
  if (text.starts_with("::")) text.remove_prefix(2);
  while (true) {
    const auto colons = text.find("::");
    if (!is_identifier(text.substr(0, colons))) return false;
    if (colons == std::string_view::npos) return true;
    text.remove_prefix(colons + 2);
  }
}

// The tunables whose defaults `value_of` replaces, from the back, so that earlier byte ranges stay
// true.
template <typename ValueOf>
std::string replaced(std::string_view source, std::vector<Tunable> tunables, ValueOf value_of) {
  std::sort(tunables.begin(), tunables.end(),
            [](const auto& a, const auto& b) { return a.default_begin > b.default_begin; });
  std::string out(source);
  for (const Tunable& tunable : tunables) {
    if (const std::optional<std::string> value = value_of(tunable)) {
      out = with_default(out, tunable, *value);
    }
  }
  return out;
}

}  // namespace

bool is_tunable_value(std::string_view text) {
  constexpr std::size_t kMaxLength = 200;
  if (text.size() > kMaxLength) return false;
  if (is_qualified_name(text)) return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return is_number(text);
}

bool is_tunable_setting(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return is_tunable_value(text);
  const auto values = split(text.substr(1, text.size() - 2), ',');
  return std::all_of(values.begin(), values.end(),
                     [](const std::string& value) { return is_tunable_value(trim(value)); });
}

Result<std::vector<Tunable>> scan_tunables(std::string_view source, std::string_view file) {
  FORGE_TRY(KernelChoices choices, scan_choices(source, file));
  return std::move(choices.tunables);
}

std::string with_default(std::string_view source, const Tunable& tunable, std::string_view value) {
  FORGE_CHECK(tunable.default_begin <= tunable.default_end && tunable.default_end <= source.size());
  std::string out(source.substr(0, tunable.default_begin));
  out += value;
  out += source.substr(tunable.default_end);
  return out;
}

std::string with_defaults(std::string_view source, const std::vector<Tunable>& tunables,
                          const std::map<std::string, std::string>& settings) {
  return replaced(source, tunables, [&](const Tunable& tunable) -> std::optional<std::string> {
    const auto setting = settings.find(tunable.name);
    if (setting == settings.end()) return std::nullopt;
    return setting->second;
  });
}

std::string without_defaults(std::string_view source, const std::vector<Tunable>& tunables) {
  return replaced(source, tunables, [](const Tunable&) { return std::optional<std::string>("?"); });
}

std::map<std::string, std::string> header_settings(
    const std::map<std::string, std::string>& settings) {
  std::map<std::string, std::string> joined;
  std::map<std::string, std::map<int, std::string>> by_shape;
  for (const auto& [name, value] : settings) {
    const auto bracket = name.find('[');
    int shape_class = 0;
    const char* digits = name.data() + bracket + 1;
    const bool indexed =
        bracket != std::string::npos &&
        std::from_chars(digits, name.data() + name.size(), shape_class).ec == std::errc{};
    if (indexed) {
      by_shape[name.substr(0, bracket)][shape_class] = value;
    } else {
      joined[name] = value;
    }
  }
  for (const auto& [name, values] : by_shape) {
    std::vector<std::string> list;
    for (const auto& [shape_class, value] : values) list.push_back(value);
    joined[name] = fmt::format("({})", join(list, ", "));
  }
  return joined;
}

}  // namespace forge
