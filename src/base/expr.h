// Integer expressions over dimensions and scalars: "batch+1", "k/128", "ceil_div(n, 4)*2".
// Grammar and rules: docs/formats/problem.md. Does no I/O.
//
// Values are signed 64-bit; overflow, a division that leaves a rest, division by zero and unknown
// names are errors that name the expression. Integer scalars of an input group count as names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace forge {

using Bindings = std::map<std::string, std::int64_t, std::less<>>;

class Expr {
 public:
  // Operators + - * / % and unary -, parentheses, and the functions min, max, ceil_div.
  static Result<Expr> parse(std::string_view text);
  static Expr constant(std::int64_t value);

  Result<std::int64_t> evaluate(const Bindings& bindings) const;

  // As written by the user; `constant` prints its number.
  const std::string& text() const { return text_; }
  // Each name used, once, sorted.
  std::vector<std::string> names() const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::string text_;
};

}  // namespace forge
