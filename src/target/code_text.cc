#include "target/code_text.h"

#include <algorithm>

namespace forge {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

class Walker {
 public:
  explicit Walker(std::string_view source) : source_(source), code_(source.size(), ' ') {}

  std::string walk() {
    bool at_line_start = true;  // only blanks and comments so far
    while (!at_end()) {
      const char c = source_[at_];
      if (c == '\n') {
        at_line_start = true;
        ++at_;
      } else if (is_blank(c)) {
        ++at_;
      } else if (c == '#' && at_line_start) {
        skip_directive();
      } else if (!skip_comment()) {
        at_line_start = false;
        if (!skip_literal()) keep_token();
      }
    }
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (source_[i] == '\n') code_[i] = '\n';
    }
    return std::move(code_);
  }

 private:
  bool at_end() const { return at_ >= source_.size(); }
  bool ahead(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  void advance(std::size_t bytes) { at_ = std::min(at_ + bytes, source_.size()); }

  void skip_past(std::string_view end, std::size_t from) {
    const auto found = source_.find(end, from);
    at_ = found == std::string_view::npos ? source_.size() : found + end.size();
  }

  // A word or number, taken whole so that 1'000 is no literal and FOOR"…" no raw string; else one
  // character.
  void keep_token() {
    const bool number = source_[at_] >= '0' && source_[at_] <= '9';
    do {
      code_[at_] = source_[at_];
      ++at_;
    } while (!at_end() && is_word(source_[at_ - 1]) &&
             (is_word(source_[at_]) || (number && keep_separator())));
  }

  bool keep_separator() {
    if (source_[at_] != '\'' || at_ + 1 >= source_.size() || !is_word(source_[at_ + 1])) {
      return false;
    }
    code_[at_++] = '\'';
    return true;
  }

  bool skip_comment() {
    if (ahead("/*")) {
      skip_past("*/", at_ + 2);
      return true;
    }
    if (!ahead("//")) return false;
    while (!at_end() && source_[at_] != '\n') skip_character();
    return true;
  }

  // A backslash takes the next character with it, be it a quote or the end of the line.
  void skip_character() { advance(ahead("\\\r\n") ? 3 : ahead("\\") ? 2 : 1); }

  void skip_directive() {
    while (!at_end() && source_[at_] != '\n') {
      if (!skip_comment() && !skip_literal()) skip_character();
    }
  }

  bool skip_literal() {
    for (const std::string_view prefix : {"R\"", "u8R\"", "uR\"", "UR\"", "LR\""}) {
      if (!ahead(prefix)) continue;
      skip_raw_string(at_ + prefix.size());
      return true;
    }
    const char quote = source_[at_];
    if (quote != '"' && quote != '\'') return false;
    ++at_;
    // One that is not closed ends with its line.
    while (!at_end() && source_[at_] != quote && source_[at_] != '\n') skip_character();
    if (!at_end() && source_[at_] == quote) ++at_;
    return true;
  }

  void skip_raw_string(std::size_t delimiter) {
    const auto open = source_.find('(', delimiter);
    if (open == std::string_view::npos) return advance(source_.size());
    skip_past(")" + std::string(source_.substr(delimiter, open - delimiter)) + "\"", open);
  }

  std::string_view source_;
  std::string code_;
  std::size_t at_ = 0;
};

}  // namespace

std::string code_only(std::string_view source) { return Walker(source).walk(); }

}  // namespace forge
