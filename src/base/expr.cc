#include "base/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"

namespace forge {

// A number, a name, or an operation on operands.
struct Expr::Node {
  enum class Kind {
    kNumber,
    kName,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kMin,
    kMax,
    kCeilDiv,
  };
  Kind kind = Kind::kNumber;
  std::int64_t number = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
};

namespace {

using Kind = Expr::Node::Kind;
using NodePtr = std::shared_ptr<const Expr::Node>;

// Bounds the depth of the tree, and with it the stack of everything that walks it.
constexpr std::size_t kMaxTextBytes = 1000;
constexpr int kMaxNesting = 64;

NodePtr make_node(Kind kind, std::vector<NodePtr> operands) {
  auto node = std::make_shared<Expr::Node>();
  node->kind = kind;
  node->operands = std::move(operands);
  return node;
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Recursive descent: sum -> product -> unary -> primary.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> parse() {
    if (text_.size() > kMaxTextBytes) {
      return failure(fmt::format("longer than {} bytes", kMaxTextBytes));
    }
    FORGE_TRY(NodePtr root, parse_sum());
    if (peek() != '\0' || at_ < text_.size()) return unexpected("an operator");
    return root;
  }

 private:
  Result<NodePtr> parse_sum() {
    FORGE_TRY(NodePtr left, parse_product());
    while (peek() == '+' || peek() == '-') {
      const Kind kind = text_[at_++] == '+' ? Kind::kAdd : Kind::kSubtract;
      FORGE_TRY(NodePtr right, parse_product());
      left = make_node(kind, {std::move(left), std::move(right)});
    }
    return left;
  }

  Result<NodePtr> parse_product() {
    FORGE_TRY(NodePtr left, parse_unary());
    while (peek() == '*' || peek() == '/' || peek() == '%') {
      const char symbol = text_[at_++];
      const Kind kind = symbol == '*'   ? Kind::kMultiply
                        : symbol == '/' ? Kind::kDivide
                                        : Kind::kRemainder;
      FORGE_TRY(NodePtr right, parse_unary());
      left = make_node(kind, {std::move(left), std::move(right)});
    }
    return left;
  }

  Result<NodePtr> parse_unary() {
    if (peek() != '-') return parse_primary();
    ++at_;
    if (++nesting_ > kMaxNesting) return failure(fmt::format("nested deeper than {}", kMaxNesting));
    FORGE_TRY(NodePtr operand, parse_unary());
    --nesting_;
    return make_node(Kind::kNegate, {std::move(operand)});
  }

  Result<NodePtr> parse_primary() {
    const char c = peek();
    if (c >= '0' && c <= '9') return parse_number();
    if (is_name_char(c)) return parse_name();
    if (c != '(') return unexpected("a number, a name or '('");
    ++at_;
    FORGE_TRY(NodePtr inner, parse_nested_sum());
    FORGE_TRY_STATUS(expect(')'));
    return inner;
  }

  Result<NodePtr> parse_nested_sum() {
    if (++nesting_ > kMaxNesting) return failure(fmt::format("nested deeper than {}", kMaxNesting));
    FORGE_TRY(NodePtr inner, parse_sum());
    --nesting_;
    return inner;
  }

  Result<NodePtr> parse_number() {
    const std::string_view digits = take_word();
    auto node = std::make_shared<Expr::Node>();
    const char* end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, node->number);
    if (problem == std::errc::result_out_of_range) {
      return failure(fmt::format("{} does not fit into 64 bits", digits));
    }
    if (stop != end) return failure(fmt::format("'{}' is neither a number nor a name", digits));
    return NodePtr(std::move(node));
  }

  Result<NodePtr> parse_name() {
    const std::string_view word = take_word();
    if (peek() == '(') return parse_call(word);
    auto node = std::make_shared<Expr::Node>();
    node->kind = Kind::kName;
    node->name = std::string(word);
    return NodePtr(std::move(node));
  }

  Result<NodePtr> parse_call(std::string_view function) {
    Kind kind = Kind::kCeilDiv;
    if (function == "min") {
      kind = Kind::kMin;
    } else if (function == "max") {
      kind = Kind::kMax;
    } else if (function != "ceil_div") {
      return failure(fmt::format("unknown function '{}'", function), "known: min, max, ceil_div");
    }
    std::vector<NodePtr> operands;
    do {
      ++at_;  // '(' or ','
      FORGE_TRY(NodePtr operand, parse_nested_sum());
      operands.push_back(std::move(operand));
    } while (peek() == ',');
    FORGE_TRY_STATUS(expect(')'));
    if (operands.size() != 2) return failure(fmt::format("'{}' takes two arguments", function));
    return make_node(kind, std::move(operands));
  }

  // The next character that is no blank, or NUL at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Status expect(char symbol) {
    if (peek() != symbol) return unexpected(fmt::format("'{}'", symbol));
    ++at_;
    return {};
  }

  Error unexpected(std::string_view wanted) {
    if (at_ >= text_.size()) return failure(fmt::format("expected {} at its end", wanted));
    return failure(fmt::format("expected {} at '{}'", wanted, clip(text_.substr(at_), 20)));
  }

  Error failure(std::string cause, std::string remedy = "") const {
    return Error{ErrorKind::kInvalidInput, "cannot parse the expression",
                 fmt::format("'{}'", clip(text_, 80)), std::move(cause), std::move(remedy)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

class Evaluator {
 public:
  Evaluator(const std::string& text, const Bindings& bindings) : text_(text), bindings_(bindings) {}

  Result<std::int64_t> evaluate(const Expr::Node& node) const {
    if (node.kind == Kind::kNumber) return node.number;
    if (node.kind == Kind::kName) return look_up(node.name);
    FORGE_TRY(const std::int64_t left, evaluate(*node.operands[0]));
    if (node.kind == Kind::kNegate) return checked(0, left, Kind::kSubtract);
    FORGE_TRY(const std::int64_t right, evaluate(*node.operands[1]));
    switch (node.kind) {
      case Kind::kMin:
        return std::min(left, right);
      case Kind::kMax:
        return std::max(left, right);
      case Kind::kDivide:
      case Kind::kRemainder:
      case Kind::kCeilDiv:
        return divide(left, right, node.kind);
      default:
        return checked(left, right, node.kind);
    }
  }

 private:
  Result<std::int64_t> look_up(const std::string& name) const {
    if (const auto found = bindings_.find(name); found != bindings_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [key, value] : bindings_) known.push_back(key);
    Error error = failure(fmt::format("unknown name '{}'", name));
    if (const auto nearest = nearest_name(name, known)) {
      error.remedy = fmt::format("did you mean '{}'?", *nearest);
    } else if (!known.empty()) {
      error.remedy = fmt::format("known: {}", join(known, ", "));
    }
    return error;
  }

  Result<std::int64_t> checked(std::int64_t left, std::int64_t right, Kind kind) const {
    std::int64_t result = 0;
    const bool overflow = kind == Kind::kAdd        ? __builtin_add_overflow(left, right, &result)
                          : kind == Kind::kSubtract ? __builtin_sub_overflow(left, right, &result)
                                                    : __builtin_mul_overflow(left, right, &result);
    if (overflow) return failure("the value does not fit into 64 bits");
    return result;
  }

  Result<std::int64_t> divide(std::int64_t left, std::int64_t right, Kind kind) const {
    if (right == 0) return failure(fmt::format("{} is divided by 0", left));
    if (right == -1) {  // the one divisor that can overflow
      if (kind == Kind::kRemainder) return 0;
      return checked(0, left, Kind::kSubtract);
    }
    const std::int64_t rest = left % right;
    if (kind == Kind::kRemainder) return rest;
    if (kind == Kind::kCeilDiv) return left / right + (rest != 0 && (rest > 0) == (right > 0));
    if (rest == 0) return left / right;
    Error error = failure(fmt::format("{} is not a multiple of {}", left, right));
    error.remedy = "use ceil_div to round up";
    return error;
  }

  Error failure(std::string cause) const {
    return Error{ErrorKind::kInvalidInput, "cannot evaluate", fmt::format("'{}'", text_),
                 std::move(cause), ""};
  }

  const std::string& text_;
  const Bindings& bindings_;
};

void collect_names(const Expr::Node& node, std::set<std::string>& names) {
  if (node.kind == Kind::kName) names.insert(node.name);
  for (const NodePtr& operand : node.operands) collect_names(*operand, names);
}

}  // namespace

Result<Expr> Expr::parse(std::string_view text) {
  Expr expr;
  FORGE_TRY(expr.root_, Parser(text).parse());
  expr.text_ = std::string(text);
  return expr;
}

Expr Expr::constant(std::int64_t value) {
  auto node = std::make_shared<Node>();
  node->number = value;
  Expr expr;
  expr.root_ = std::move(node);
  expr.text_ = fmt::format("{}", value);
  return expr;
}

Result<std::int64_t> Expr::evaluate(const Bindings& bindings) const {
  FORGE_CHECK(root_ != nullptr);
  return Evaluator(text_, bindings).evaluate(*root_);
}

std::vector<std::string> Expr::names() const {
  std::set<std::string> names;
  if (root_ != nullptr) collect_names(*root_, names);
  return {names.begin(), names.end()};
}

}  // namespace forge
