#include "target/tunables.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "target/code_text.h"

namespace forge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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

// Words and :: only: "int", "unsigned long", "std::size_t".
bool is_type(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_word(c) || c == ':' || c == ' '; });
}

// Blanks and newlines between the words of an argument become one blank.
std::string normalised(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    if (!is_blank(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

struct Argument {
  std::size_t begin = 0;  // trimmed byte range in the source
  std::size_t end = 0;
};

std::optional<TunableKind> kind_of(std::string_view word) {
  if (word == "FORGE_TUNABLE") return TunableKind::kTuning;
  if (word == "FORGE_STRUCTURE") return TunableKind::kStructure;
  return std::nullopt;
}

class Scanner {
 public:
  Scanner(std::string_view source, std::string_view file)
      : code_text_(code_only(source)), source_(code_text_), file_(file) {}

  Result<std::vector<Tunable>> scan() {
    std::vector<Tunable> found;
    while (at_ < source_.size()) {
      const std::string_view word = take_word();
      const auto kind = kind_of(word);
      if (!kind) continue;
      FORGE_TRY(auto tunable, parse_declaration(*kind, at_ - word.size()));
      FORGE_TRY_STATUS(check_new(tunable, found));
      found.push_back(std::move(tunable));
    }
    return found;
  }

 private:
  // A word, or the one character that is none.
  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    if (at_ == begin) ++at_;
    return source_.substr(begin, at_ - begin);
  }

  // `begin` is where the macro's name stands; at_ is behind it.
  Result<Tunable> parse_declaration(TunableKind kind, std::size_t begin) {
    declaration_ = begin;
    FORGE_TRY(const auto arguments, take_arguments());
    const auto text = [&](std::size_t i) {
      return normalised(source_.substr(arguments[i].begin, arguments[i].end - arguments[i].begin));
    };
    if (arguments.size() < 4) {
      return failure("a declaration needs a type, a name, a default and at least one value");
    }
    Tunable tunable;
    tunable.kind = kind;
    tunable.line = line_of(begin);
    tunable.type = text(0);
    tunable.name = text(1);
    tunable.default_value = text(2);
    tunable.default_begin = arguments[2].begin;
    tunable.default_end = arguments[2].end;
    for (std::size_t i = 3; i < arguments.size(); ++i) tunable.values.push_back(text(i));
    FORGE_TRY_STATUS(check(tunable));
    return tunable;
  }

  Result<std::vector<Argument>> take_arguments() {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
    if (!source_.substr(at_).starts_with('(')) {
      return failure("expected '(' after the macro's name");
    }
    const std::size_t open = at_++;
    const std::size_t close = source_.find_first_of("();{}", at_);
    if (close == std::string_view::npos || source_[close] != ')') {
      return failure("the arguments must be a plain list that ends with ')'");
    }
    std::vector<Argument> arguments;
    std::size_t begin = open + 1;
    while (begin <= close) {
      const std::size_t end = std::min(source_.find(',', begin), close);
      arguments.push_back(trimmed(begin, end));
      begin = end + 1;
    }
    at_ = close + 1;
    return arguments;
  }

  Argument trimmed(std::size_t begin, std::size_t end) const {
    while (begin < end && is_blank(source_[begin])) ++begin;
    while (end > begin && is_blank(source_[end - 1])) --end;
    return {begin, end};
  }

  Status check(const Tunable& tunable) const {
    if (!is_type(tunable.type)) {
      return failure(fmt::format("'{}' is no plain type", clip(tunable.type, 80)));
    }
    if (!is_identifier(tunable.name)) {
      return failure(fmt::format("'{}' is no C identifier", clip(tunable.name, 80)));
    }
    for (const std::string& value : tunable.values) {
      if (is_tunable_value(value)) continue;
      return failure(fmt::format("the value '{}' of '{}' is no single literal or identifier",
                                 clip(value, 80), tunable.name),
                     "values can't be expressions");
    }
    const auto& values = tunable.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::find(values.begin(), values.begin() + static_cast<long>(i), values[i]) !=
          values.begin() + static_cast<long>(i)) {
        return failure(
            fmt::format("the value {} of '{}' is listed twice", values[i], tunable.name));
      }
    }
    if (std::find(values.begin(), values.end(), tunable.default_value) == values.end()) {
      return failure(fmt::format("the default {} of '{}' is not among its values",
                                 clip(tunable.default_value, 80), tunable.name),
                     "list it, spelled the same");
    }
    return {};
  }

  Status check_new(const Tunable& tunable, const std::vector<Tunable>& found) const {
    for (const Tunable& other : found) {
      if (other.name != tunable.name) continue;
      return failure(fmt::format("tunable '{}' is declared twice; first in line {}", tunable.name,
                                 other.line));
    }
    return {};
  }

  int line_of(std::size_t position) const {
    return 1 + static_cast<int>(std::count(source_.begin(),
                                           source_.begin() + static_cast<long>(position), '\n'));
  }

  Error failure(std::string cause, std::string remedy = "") const {
    return Error{ErrorKind::kInvalidInput, "cannot read",
                 fmt::format("{}:{}", file_, line_of(declaration_)), std::move(cause),
                 std::move(remedy)};
  }

  std::string code_text_;
  std::string_view source_;  // into code_text_
  std::string_view file_;
  std::size_t at_ = 0;
  std::size_t declaration_ = 0;
};

}  // namespace

bool is_tunable_value(std::string_view text) {
  constexpr std::size_t kMaxLength = 200;
  if (text.size() > kMaxLength) return false;
  if (is_qualified_name(text)) return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return is_number(text);
}

Result<std::vector<Tunable>> scan_tunables(std::string_view source, std::string_view file) {
  return Scanner(source, file).scan();
}

std::string with_default(std::string_view source, const Tunable& tunable, std::string_view value) {
  FORGE_CHECK(tunable.default_begin <= tunable.default_end && tunable.default_end <= source.size());
  std::string out(source.substr(0, tunable.default_begin));
  out += value;
  out += source.substr(tunable.default_end);
  return out;
}

}  // namespace forge
