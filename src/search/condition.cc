#include "search/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <variant>

#include "base/text.h"

namespace forge {

struct Condition::Node {
  std::string text;  // an operator, a name or a literal
  enum class Kind { kName, kLiteral, kUnary, kBinary } kind = Kind::kLiteral;
  std::shared_ptr<const Node> left;
  std::shared_ptr<const Node> right;
};

namespace {

using Node = Condition::Node;
using NodePtr = std::shared_ptr<const Node>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

// Loosest first; each level binds from the left.
using Level = std::array<std::string_view, 4>;
constexpr std::array<Level, 7> kLevels = {{{"||"},
                                           {"&&"},
                                           {"==", "!="},
                                           {"<=", ">=", "<", ">"},
                                           {"<<", ">>"},
                                           {"+", "-"},
                                           {"*", "/", "%"}}};
constexpr int kMostNesting = 64;
constexpr std::size_t kLongestText = 2000;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePtr parse() {
    NodePtr root = binary(0);
    skip_blanks();
    return at_ == text_.size() ? root : nullptr;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  // The whole operator: '<' is not the beginning of '<<', nor '&' of '&&'.
  std::string_view next_operator() {
    skip_blanks();
    constexpr std::string_view kMarks = "|&=!<>+-*/%^~?";
    const std::string_view rest = text_.substr(at_);
    if (rest.empty() || kMarks.find(rest[0]) == std::string_view::npos) return {};
    for (const std::string_view two : {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"}) {
      if (rest.starts_with(two)) return two;
    }
    return rest.substr(0, 1);
  }

  NodePtr binary(std::size_t level) {
    if (level == kLevels.size()) return unary();
    NodePtr left = binary(level + 1);
    while (left != nullptr) {
      const std::string_view found = next_operator();
      const Level& known = kLevels[level];
      if (found.empty() || std::find(known.begin(), known.end(), found) == known.end()) break;
      at_ += found.size();
      NodePtr right = binary(level + 1);
      if (right == nullptr) return nullptr;
      left = std::make_shared<Node>(Node{std::string(found), Node::Kind::kBinary, left, right});
    }
    return left;
  }

  NodePtr unary() {
    if (++nesting_ > kMostNesting) return nullptr;
    const std::string_view found = next_operator();
    NodePtr node;
    if (found == "!" || found == "-" || found == "+") {
      at_ += found.size();
      if (NodePtr operand = unary()) {
        node = std::make_shared<Node>(Node{std::string(found), Node::Kind::kUnary, operand, {}});
      }
    } else {
      node = primary();
    }
    --nesting_;
    return node;
  }

  NodePtr primary() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      NodePtr inner = binary(0);
      skip_blanks();
      if (inner == nullptr || at_ == text_.size() || text_[at_] != ')') return nullptr;
      ++at_;
      return inner;
    }
    const std::string word = take_word();
    if (word.empty()) return nullptr;
    const bool literal = literal_number(word).has_value();
    if (!literal && (is_digit(word[0]) || word[0] == '.')) return nullptr;
    return std::make_shared<Node>(
        Node{word, literal ? Node::Kind::kLiteral : Node::Kind::kName, {}, {}});
  }

  // A name with its qualifiers, members and index, or a number.
  std::string take_word() {
    const std::size_t begin = at_;
    const bool number = at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.');
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const char before = at_ > begin ? text_[at_ - 1] : '\0';
      const bool exponent = number && (c == '+' || c == '-') && (before == 'e' || before == 'E');
      const bool inside = is_word(c) || c == '.' || c == ':' || (number && c == '\'') || exponent;
      if (!inside) break;
      ++at_;
    }
    if (!number && at_ > begin && at_ < text_.size() && text_[at_] == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos) return "";
      at_ = close + 1;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

struct Symbol {
  std::string name;
};
struct Unknown {};
using Value = std::variant<Unknown, std::int64_t, double, Symbol>;

Value value_of(const std::string& text) {
  const auto number = literal_number(text);
  if (!number) return Symbol{text};
  const bool floating = text.find_first_of(".eEpP") != std::string::npos &&
                        !text.starts_with("0x") && !text.starts_with("0X") && text != "true" &&
                        text != "false";
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (floating || std::abs(*number) > kExact) return *number;
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> truth_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer != 0;
  if (const auto* number = std::get_if<double>(&value)) return *number != 0;
  return std::nullopt;
}

Value integer_result(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Value(Unknown{}) : Value(result);
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Value(Unknown{}) : Value(result);
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Value(Unknown{}) : Value(result);
  const bool divides = b != 0 && !(a == INT64_MIN && b == -1);
  if (op == "/") return divides ? Value(a / b) : Value(Unknown{});
  if (op == "%") return divides ? Value(a % b) : Value(Unknown{});
  const bool shifts = a >= 0 && b >= 0 && b < 62 && a < (std::int64_t{1} << (62 - b));
  if (op == "<<") return shifts ? Value(a << b) : Value(Unknown{});
  if (op == ">>") return b >= 0 && b < 63 ? Value(a >> b) : Value(Unknown{});
  return Unknown{};
}

std::optional<bool> compare(const std::string& op, double a, double b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  return std::nullopt;
}

// Enumerators are known by name alone. Two that end alike may be one, seen from two scopes.
Value compare_symbols(const std::string& op, const Symbol& a, const Symbol& b) {
  if (op != "==" && op != "!=") return Unknown{};
  const auto last = [](const std::string& name) { return name.substr(name.rfind(':') + 1); };
  if (a.name != b.name && last(a.name) == last(b.name)) return Unknown{};
  const bool equal = a.name == b.name;
  return std::int64_t{(op == "==") == equal ? 1 : 0};
}

Value combine(const std::string& op, const Value& a, const Value& b) {
  const auto* left = std::get_if<Symbol>(&a);
  const auto* right = std::get_if<Symbol>(&b);
  if (left != nullptr && right != nullptr) return compare_symbols(op, *left, *right);
  if (left != nullptr || right != nullptr) return Unknown{};
  if (std::holds_alternative<Unknown>(a) || std::holds_alternative<Unknown>(b)) return Unknown{};
  const auto* integer_a = std::get_if<std::int64_t>(&a);
  const auto* integer_b = std::get_if<std::int64_t>(&b);
  const auto number = [](const Value& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
  };
  if (const auto ordered = compare(op, number(a), number(b))) return std::int64_t{*ordered ? 1 : 0};
  if (integer_a != nullptr && integer_b != nullptr)
    return integer_result(op, *integer_a, *integer_b);
  if (op == "+") return number(a) + number(b);
  if (op == "-") return number(a) - number(b);
  if (op == "*") return number(a) * number(b);
  if (op == "/" && number(b) != 0) return number(a) / number(b);
  return Unknown{};
}

Value evaluate_node(const Node& node, const Condition::Lookup& lookup);

// One known side may be enough.
Value evaluate_logic(const Node& node, const Condition::Lookup& lookup) {
  const auto left = truth_of(evaluate_node(*node.left, lookup));
  const auto right = truth_of(evaluate_node(*node.right, lookup));
  const bool decides = node.text == "||";
  if (left == decides || right == decides) return std::int64_t{decides ? 1 : 0};
  if (!left || !right) return Unknown{};
  return std::int64_t{decides ? 0 : 1};
}

Value evaluate_unary(const Node& node, const Condition::Lookup& lookup) {
  const Value operand = evaluate_node(*node.left, lookup);
  if (node.text == "!") {
    const auto truth = truth_of(operand);
    return truth ? Value(std::int64_t{*truth ? 0 : 1}) : Value(Unknown{});
  }
  if (node.text == "+") return operand;
  return combine("-", std::int64_t{0}, operand);
}

Value evaluate_node(const Node& node, const Condition::Lookup& lookup) {
  switch (node.kind) {
    case Node::Kind::kLiteral:
      return value_of(node.text);
    case Node::Kind::kName: {
      const auto text = lookup(node.text);
      return text ? value_of(*text) : Value(Symbol{node.text});
    }
    case Node::Kind::kUnary:
      return evaluate_unary(node, lookup);
    case Node::Kind::kBinary:
      break;
  }
  if (node.text == "||" || node.text == "&&") return evaluate_logic(node, lookup);
  return combine(node.text, evaluate_node(*node.left, lookup), evaluate_node(*node.right, lookup));
}

void collect_names(const NodePtr& node, std::vector<std::string>& names) {
  if (node == nullptr) return;
  const bool known = std::find(names.begin(), names.end(), node->text) != names.end();
  if (node->kind == Node::Kind::kName && !known) names.push_back(node->text);
  collect_names(node->left, names);
  collect_names(node->right, names);
}

// Without digit separators and the suffixes of integers or of floating-point numbers.
std::string plain_number(std::string_view text, bool hexadecimal) {
  std::string plain(text);
  std::erase(plain, '\'');
  const std::string_view suffixes = hexadecimal ? "uUlLzZ" : "uUlLzZfF";
  while (!plain.empty() && suffixes.find(plain.back()) != std::string_view::npos) plain.pop_back();
  return plain;
}

}  // namespace

std::optional<Condition> Condition::parse(std::string_view text) {
  if (text.size() > kLongestText) return std::nullopt;
  Condition condition;
  condition.root_ = Parser(text).parse();
  if (condition.root_ == nullptr) return std::nullopt;
  condition.text_ = std::string(trim(text));
  collect_names(condition.root_, condition.names_);
  return condition;
}

Truth Condition::evaluate(const Lookup& lookup) const {
  const auto truth = truth_of(evaluate_node(*root_, lookup));
  if (!truth) return Truth::kUnknown;
  return *truth ? Truth::kTrue : Truth::kFalse;
}

std::optional<double> literal_number(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || (!is_digit(text[0]) && text[0] != '.')) return std::nullopt;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string plain = plain_number(text, hexadecimal);
  double number = 0;
  if (hexadecimal) {
    std::uint64_t integer = 0;
    const auto [end, error] =
        std::from_chars(plain.data() + 2, plain.data() + plain.size(), integer, 16);
    if (error != std::errc{} || end != plain.data() + plain.size()) return std::nullopt;
    number = static_cast<double>(integer);
  } else {
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    if (error != std::errc{} || end != plain.data() + plain.size()) return std::nullopt;
  }
  return negative ? -number : number;
}

}  // namespace forge
