// Reads what a kernel declares about its choices: see tunables.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "target/code_text.h"
#include "target/tunables.h"

namespace forge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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

struct Range {
  std::size_t begin = 0;  // trimmed byte range in the source
  std::size_t end = 0;
};

enum class Macro { kTunable, kTunableByShape, kShapes, kRequire };
struct MacroName {
  std::string_view word;
  Macro macro;
  TunableKind kind = TunableKind::kTuning;
};
constexpr MacroName kMacros[] = {
    {"FORGE_TUNABLE", Macro::kTunable},
    {"FORGE_STRUCTURE", Macro::kTunable, TunableKind::kStructure},
    {"FORGE_TUNABLE_BY_SHAPE", Macro::kTunableByShape},
    {"FORGE_STRUCTURE_BY_SHAPE", Macro::kTunableByShape, TunableKind::kStructure},
    {"FORGE_SHAPES", Macro::kShapes},
    {"FORGE_REQUIRE", Macro::kRequire},
};

constexpr std::string_view kClassParameter = "<kShape>";
constexpr std::size_t kMostClasses = 16;

std::string indexed(std::string_view name, std::size_t shape_class) {
  return fmt::format("{}[{}]", name, shape_class);
}

class Scanner {
 public:
  Scanner(std::string_view source, std::string_view file)
      : code_text_(code_only(source)), source_(code_text_), file_(file) {}

  Result<KernelChoices> scan() {
    while (at_ < source_.size()) {
      const std::string_view word = take_word();
      const auto* known = std::find_if(std::begin(kMacros), std::end(kMacros),
                                       [&](const MacroName& each) { return each.word == word; });
      if (known == std::end(kMacros)) continue;
      declaration_ = at_ - word.size();
      FORGE_TRY_STATUS(take(*known));
    }
    return std::move(found_);
  }

 private:
  Status take(const MacroName& known) {
    switch (known.macro) {
      case Macro::kTunable:
        return take_tunable(known.kind);
      case Macro::kTunableByShape:
        return take_tunable_by_shape(known.kind);
      case Macro::kShapes:
        return take_shapes();
      case Macro::kRequire:
        return take_requirement();
    }
    return {};
  }

  // A word, or the one character that is none.
  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    if (at_ == begin) ++at_;
    return source_.substr(begin, at_ - begin);
  }

  Status take_tunable(TunableKind kind) {
    FORGE_TRY(const auto open, take_open("();{}"));
    const auto arguments = split_list(open);
    FORGE_TRY(Tunable tunable, declared(kind, arguments));
    tunable.default_value = text_of(arguments[2]);
    tunable.default_begin = arguments[2].begin;
    tunable.default_end = arguments[2].end;
    FORGE_TRY_STATUS(check_default(tunable));
    FORGE_TRY_STATUS(check_new(tunable.name));
    found_.tunables.push_back(std::move(tunable));
    return {};
  }

  Status take_tunable_by_shape(TunableKind kind) {
    if (found_.shape_conditions.empty()) {
      return failure("a tunable by shape needs FORGE_SHAPES before it");
    }
    FORGE_TRY(const auto open, take_open(";{}"));
    const auto arguments = split_list(open);
    FORGE_TRY(const Tunable tunable, declared(kind, arguments));
    const Range list = arguments[2];
    const auto text = source_.substr(list.begin, list.end - list.begin);
    if (!text.starts_with('(') || !text.ends_with(')')) {
      return failure(fmt::format("the defaults of '{}' are no list in parentheses", tunable.name),
                     "give one for each class of shapes: (8, 4)");
    }
    const auto defaults = split_list({list.begin + 1, list.end - 1});
    const std::size_t classes = found_.shape_conditions.size() + 1;
    if (defaults.size() != classes) {
      return failure(fmt::format("'{}' has {} defaults, and there are {} classes of shapes",
                                 tunable.name, defaults.size(), classes));
    }
    FORGE_TRY_STATUS(check_new(tunable.name));
    for (std::size_t i = 0; i < classes; ++i) {
      Tunable of_class = tunable;
      of_class.name = indexed(tunable.name, i);
      of_class.shape_class = static_cast<int>(i);
      of_class.default_value = text_of(defaults[i]);
      of_class.default_begin = defaults[i].begin;
      of_class.default_end = defaults[i].end;
      FORGE_TRY_STATUS(check_default(of_class));
      found_.tunables.push_back(std::move(of_class));
    }
    return {};
  }

  Status take_shapes() {
    if (!found_.shape_conditions.empty()) return failure("FORGE_SHAPES is there twice");
    FORGE_TRY(const auto open, take_open(";{}"));
    for (const Range range : split_list(open)) {
      auto text = text_of(range);
      if (text.empty()) return failure("a condition of FORGE_SHAPES is empty");
      found_.shape_conditions.push_back(std::move(text));
    }
    if (found_.shape_conditions.size() >= kMostClasses) {
      return failure(fmt::format("FORGE_SHAPES has more than {} classes", kMostClasses));
    }
    return {};
  }

  // Whatever the compiler takes: what can't be evaluated here is left to it.
  Status take_requirement() {
    FORGE_TRY(const auto open, take_open(""));
    const auto text = text_of({open.begin, open.end});
    if (text.find(kClassParameter) == std::string::npos) {
      found_.requirements.push_back(text);
      return {};
    }
    for (std::size_t i = 0; i <= found_.shape_conditions.size(); ++i) {
      std::string of_class = text;
      for (auto at = of_class.find(kClassParameter); at != std::string::npos;
           at = of_class.find(kClassParameter)) {
        of_class.replace(at, kClassParameter.size(), indexed("", i));
      }
      found_.requirements.push_back(std::move(of_class));
    }
    return {};
  }

  // What stands between the macro's parentheses; at_ is behind them then. `foreign`: what can't be
  // in there.
  Result<Range> take_open(std::string_view foreign) {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
    if (!source_.substr(at_).starts_with('(')) {
      return failure("expected '(' after the macro's name");
    }
    const std::size_t open = ++at_;
    int depth = 1;
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == ')' && --depth == 0) break;
      if (c == '(') ++depth;
      if (foreign.find(c) != std::string_view::npos) depth = 0;
      if (depth == 0) break;
    }
    if (at_ >= source_.size() || source_[at_] != ')') {
      return failure("the arguments must be a plain list that ends with ')'");
    }
    return Range{open, at_++};
  }

  // At commas outside parentheses.
  std::vector<Range> split_list(Range list) const {
    std::vector<Range> parts;
    int depth = 0;
    std::size_t begin = list.begin;
    for (std::size_t i = list.begin; i <= list.end; ++i) {
      const char c = i < list.end ? source_[i] : ',';
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c != ',' || (depth > 0 && i < list.end)) continue;
      parts.push_back(trimmed(begin, i));
      begin = i + 1;
    }
    return parts;
  }

  Range trimmed(std::size_t begin, std::size_t end) const {
    while (begin < end && is_blank(source_[begin])) ++begin;
    while (end > begin && is_blank(source_[end - 1])) --end;
    return {begin, end};
  }

  std::string text_of(Range range) const {
    return normalised(source_.substr(range.begin, range.end - range.begin));
  }

  // Type, name and values of a declaration.
  Result<Tunable> declared(TunableKind kind, const std::vector<Range>& arguments) const {
    if (arguments.size() < 4) {
      return failure("a declaration needs a type, a name, a default and at least one value");
    }
    Tunable tunable;
    tunable.kind = kind;
    tunable.line = line_of(declaration_);
    tunable.type = text_of(arguments[0]);
    tunable.name = text_of(arguments[1]);
    for (std::size_t i = 3; i < arguments.size(); ++i) {
      tunable.values.push_back(text_of(arguments[i]));
    }
    FORGE_TRY_STATUS(check(tunable));
    return tunable;
  }

  Status check(const Tunable& tunable) const {
    if (!is_type(tunable.type)) {
      return failure(fmt::format("'{}' is no plain type", clip(tunable.type, 80)));
    }
    if (!is_identifier(tunable.name)) {
      return failure(fmt::format("'{}' is no C identifier", clip(tunable.name, 80)));
    }
    const auto& values = tunable.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_tunable_value(values[i])) {
        return failure(fmt::format("the value '{}' of '{}' is no single literal or identifier",
                                   clip(values[i], 80), tunable.name),
                       "values can't be expressions");
      }
      const auto here = values.begin() + static_cast<long>(i);
      if (std::find(values.begin(), here, values[i]) == here) continue;
      return failure(fmt::format("the value {} of '{}' is listed twice", values[i], tunable.name));
    }
    return {};
  }

  Status check_default(const Tunable& tunable) const {
    const auto& values = tunable.values;
    if (std::find(values.begin(), values.end(), tunable.default_value) != values.end()) return {};
    return failure(fmt::format("the default {} of '{}' is not among its values",
                               clip(tunable.default_value, 80), tunable.name),
                   "list it, spelled the same");
  }

  Status check_new(const std::string& name) const {
    for (const Tunable& other : found_.tunables) {
      if (other.name.substr(0, other.name.find('[')) != name) continue;
      return failure(
          fmt::format("tunable '{}' is declared twice; first in line {}", name, other.line));
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
  KernelChoices found_;
};

}  // namespace

Result<KernelChoices> scan_choices(std::string_view source, std::string_view file) {
  return Scanner(source, file).scan();
}

}  // namespace forge
