#include "cli/status_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

constexpr int kUsualColumns = 80;

std::string one_line(std::string_view text) {
  std::string out = printable(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

struct Fitted {
  std::string text;
  int columns = 0;
};

// Beyond three bytes of UTF-8, and from there on in East Asian scripts, a character may be two
// columns wide: it is counted so, since a line that is too short is harmless and one that wraps is
// not.
Fitted fit(std::string_view text, int columns) {
  Fitted out;
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, utf8_sequence_bytes(text));
    const int width = bytes >= 3 ? 2 : 1;
    if (out.columns + width > columns) break;
    out.text += text.substr(0, bytes);
    out.columns += width;
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

int StatusLine::columns() const { return std::max(2, columns_ ? columns_() : kUsualColumns); }

void StatusLine::show(const std::string& what, std::string_view moving) {
  if (terminal_ == Terminal::kPlain) {
    if (what == last_) return;
    last_ = what;
    out_ << one_line(what) << std::endl;
    return;
  }
  // The last column stays free: a cursor behind it would be on the next line.
  Fitted line = fit(one_line(fmt::format("{}  {}", moving, what)), columns() - 1);
  if (line.text == last_ && visible_columns_ > 0) return;
  clear();
  out_ << line.text << std::flush;
  visible_columns_ = line.columns;
  last_ = std::move(line.text);
}

void StatusLine::keep(std::string_view text) {
  clear();
  out_ << one_line(text) << std::endl;
}

void StatusLine::clear() {
  if (visible_columns_ == 0) return;
  // A window that became narrower has wrapped the line that was drawn for a wider one.
  const int rows_above = (visible_columns_ - 1) / columns();
  out_ << '\r';
  if (rows_above > 0) out_ << fmt::format("\x1b[{}A", rows_above);
  out_ << "\x1b[J" << std::flush;
  visible_columns_ = 0;
}

}  // namespace forge
