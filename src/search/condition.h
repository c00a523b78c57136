// Conditions as kernels write them: "kTile % kVec == 0", "dims.cols >= 8192 && !kTwoPass". Pure.
// May know: base.
//
// A part of C++'s constant expressions: integers and floating-point numbers, true and false, names,
// parentheses and the operators || && == != < <= > >= << >> + - * / % ! and unary + and -. What is
// beyond it can't be evaluated here and is left to the compiler.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

// kUnknown: a name without a value, a division by zero, an overflow.
enum class Truth { kFalse, kTrue, kUnknown };

class Condition {
 public:
  // Text of a value: "8", "-1.5e-3f", "true", "Mode::kFast"; nullopt: the name has none, and stands
  // for itself, as an enumerator does.
  using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

  // Nothing if the text is beyond the language above.
  static std::optional<Condition> parse(std::string_view text);

  Truth evaluate(const Lookup& lookup) const;
  const std::string& text() const { return text_; }
  // Each name, once, in the order of the text: "kVec", "kVec[1]", "dims.cols", "Mode::kFast".
  const std::vector<std::string>& names() const { return names_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::string text_;
  std::vector<std::string> names_;
};

// The value of a literal: digit separators, suffixes, hexadecimals, a sign, true and false.
std::optional<double> literal_number(std::string_view text);

}  // namespace forge
