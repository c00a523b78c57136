// The only file that includes nlohmann's header, which is expensive; it serves as the tokenizer.
#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Tells how far the tokenizer has read: nlohmann gives positions for its own errors only.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*read_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* read_;
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: what" -> "what"
std::string without_prefix(std::string_view message) {
  if (const std::size_t end = message.find("] "); end != message.npos)
    message.remove_prefix(end + 2);
  if (message.starts_with("parse error")) {
    if (const std::size_t end = message.find(": "); end != message.npos) {
      message.remove_prefix(end + 2);
    }
  }
  return clip(printable(message), 200);
}

// Builds a Json from the tokenizer's events and stops at the first thing we do not accept. The
// names of its member functions are nlohmann's.
class Builder {
 public:
  explicit Builder(const std::size_t* read) : read_(read) {}

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(std::int64_t value) { return add(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string& text) {
    // An integer that does not fit arrives here rounded, which is what exactness forbids.
    if (text.find_first_of(".eE") == std::string::npos) {
      return fail(fmt::format("integer {} does not fit into 64 bits", clip(text, 40)));
    }
    return add(Json(value));
  }
  bool string(std::string& value) { return add(Json(std::move(value))); }
  bool binary(nlohmann::json::binary_t&) { return fail("binary values are not JSON"); }
  bool start_object(std::size_t) { return open(Container::kObject); }
  bool start_array(std::size_t) { return open(Container::kArray); }
  bool key(std::string& name) {
    if (!open_.back().keys.insert(name).second) {
      return fail(fmt::format("duplicate key '{}'", clip(name, 100)));
    }
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& ex) {
    position_ = position;
    cause_ = without_prefix(ex.what());
    return false;
  }

  Json& result() { return result_; }
  const std::string& cause() const { return cause_; }
  std::size_t position() const { return position_; }  // 1-based

 private:
  enum class Container { kArray, kObject };
  struct Level {
    Container container = Container::kArray;
    std::string key;
    std::unordered_set<std::string> keys;
    Json::Array elements;
    Json::Object members;
  };

  bool open(Container container) {
    if (open_.size() == kMaxDepth) return fail(fmt::format("nested deeper than {}", kMaxDepth));
    open_.emplace_back();
    open_.back().container = container;
    return true;
  }
  bool close() {
    Level level = std::move(open_.back());
    open_.pop_back();
    return add(level.container == Container::kObject ? Json(std::move(level.members))
                                                     : Json(std::move(level.elements)));
  }
  bool add(Json value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (Level& level = open_.back(); level.container == Container::kObject) {
      level.members.emplace_back(std::move(level.key), std::move(value));
    } else {
      level.elements.push_back(std::move(value));
    }
    return true;
  }
  bool fail(std::string cause) {
    cause_ = std::move(cause);
    position_ = *read_;
    return false;
  }

  const std::size_t* read_;
  std::vector<Level> open_;
  Json result_;
  std::string cause_;
  std::size_t position_ = 0;
};

Error parse_failure(std::string_view text, std::string_view object, std::size_t position,
                    std::string_view cause) {
  const std::string_view before = text.substr(0, position > 0 ? position - 1 : 0);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const bool one_line = text.find('\n') >= text.size() - (text.empty() ? 0 : 1);
  Error error{ErrorKind::kInvalidInput, "cannot parse", std::string(object), "", ""};
  if (!one_line) error.object += fmt::format(":{}", line);
  error.cause = fmt::format("{} (byte {})", cause, position);
  return error;
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_bytes(text);
    const char c = text.front();
    if (length == 0) {
      out += "\xef\xbf\xbd";  // U+FFFD: what we write must be valid UTF-8
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

// The shortest text that reads back as the same f64, and always as a number with a fraction.
void write_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  out += text;
}

// Values print themselves one a line (`indent` >= 0) or all on one line (`indent` < 0).
class Writer {
 public:
  explicit Writer(bool pretty) : pretty_(pretty) {}

  void write(const Json& json) {
    double number = 0;
    std::int64_t integer = 0;
    std::uint64_t unsigned_integer = 0;
    if (const bool* boolean = json.as_bool()) {
      out_ += *boolean ? "true" : "false";
    } else if (json.as_int(integer)) {
      out_ += fmt::format("{}", integer);
    } else if (json.as_uint(unsigned_integer)) {
      out_ += fmt::format("{}", unsigned_integer);
    } else if (json.as_number(number)) {
      write_double(out_, number);
    } else if (const std::string* text = json.as_string()) {
      write_string(out_, *text);
    } else if (const Json::Array* elements = json.as_array()) {
      write_sequence('[', ']', *elements, [this](const Json& element) { write(element); });
    } else if (const Json::Object* members = json.as_object()) {
      write_sequence('{', '}', *members, [this](const auto& member) {
        write_string(out_, member.first);
        out_ += pretty_ ? ": " : ":";
        write(member.second);
      });
    } else {
      out_ += "null";
    }
  }
  std::string take() { return std::move(out_); }

 private:
  template <typename Items, typename WriteItem>
  void write_sequence(char open, char close, const Items& items, WriteItem write_item) {
    out_ += open;
    ++depth_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ',';
      new_line();
      write_item(items[i]);
    }
    --depth_;
    if (!items.empty()) new_line();
    out_ += close;
  }
  void new_line() {
    if (!pretty_) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  bool pretty_;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

bool Json::as_int(std::int64_t& out) const {
  const auto* value = std::get_if<std::int64_t>(&value_);
  if (value != nullptr) out = *value;
  return value != nullptr;
}

bool Json::as_uint(std::uint64_t& out) const {
  if (const auto* large = std::get_if<std::uint64_t>(&value_)) {
    out = *large;
    return true;
  }
  const auto* value = std::get_if<std::int64_t>(&value_);
  if (value == nullptr || *value < 0) return false;
  out = static_cast<std::uint64_t>(*value);
  return true;
}

bool Json::as_number(double& out) const {
  if (const auto* value = std::get_if<double>(&value_)) {
    out = *value;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value_)) {
    out = static_cast<double>(*integer);
  } else if (const auto* large = std::get_if<std::uint64_t>(&value_)) {
    out = static_cast<double>(*large);
  } else {
    return false;
  }
  return true;
}

const Json* Json::find(std::string_view key) const {
  const Object* members = as_object();
  if (members == nullptr) return nullptr;
  for (const auto& [name, value] : *members) {
    if (name == key) return &value;
  }
  return nullptr;
}

Json& Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  auto* members = std::get_if<Object>(&value_);
  FORGE_CHECK(members != nullptr);
  for (auto& [name, existing] : *members) {
    if (name == key) {
      existing = std::move(value);
      return *this;
    }
  }
  members->emplace_back(std::string(key), std::move(value));
  return *this;
}

void Json::push_back(Json value) {
  if (is_null()) value_ = Array{};
  auto* elements = std::get_if<Array>(&value_);
  FORGE_CHECK(elements != nullptr);
  elements->push_back(std::move(value));
}

std::string Json::dump() const {
  Writer writer(false);
  writer.write(*this);
  return writer.take();
}

std::string Json::dump_pretty() const {
  Writer writer(true);
  writer.write(*this);
  return writer.take();
}

Result<Json> parse_json(std::string_view text, std::string_view object) {
  // nlohmann takes a NUL for the end of the text and would not see what follows it.
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    return parse_failure(text, object, nul + 1, "unexpected NUL byte");
  }
  std::size_t read = 0;
  Builder builder(&read);
  try {
    const CountingIterator begin(text.data(), &read);
    const CountingIterator end(text.data() + text.size(), &read);
    if (nlohmann::json::sax_parse(begin, end, &builder)) return std::move(builder.result());
  } catch (const nlohmann::json::exception& ex) {
    return parse_failure(text, object, read, without_prefix(ex.what()));
  }
  return parse_failure(text, object, builder.position(), builder.cause());
}

}  // namespace forge
