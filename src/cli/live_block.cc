#include "cli/live_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace forge {
namespace {

constexpr int kUsualColumns = 80;

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

std::string one_line(std::string_view text) {
  std::string out = printable(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

int LiveBlock::columns() const { return std::max(2, columns_ ? columns_() : kUsualColumns); }

void LiveBlock::show(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  std::vector<int> widths;
  for (const std::string& line : lines) {
    // The last column stays free: a cursor behind it would be on the next line.
    Fitted fitted = fit(one_line(line), columns() - 1);
    texts.push_back(std::move(fitted.text));
    widths.push_back(fitted.columns);
  }
  if (texts == visible_) return;
  clear();
  out_ << join(texts, "\n") << std::flush;
  visible_ = std::move(texts);
  visible_columns_ = std::move(widths);
}

void LiveBlock::clear() {
  if (visible_.empty()) return;
  // A window that became narrower has wrapped the lines that were drawn for a wider one.
  const int width = columns();
  const int rows =
      std::accumulate(visible_columns_.begin(), visible_columns_.end(), 0,
                      [&](int sum, int used) { return sum + 1 + std::max(0, used - 1) / width; });
  out_ << '\r';
  if (rows > 1) out_ << fmt::format("\x1b[{}A", rows - 1);
  out_ << "\x1b[J" << std::flush;
  visible_.clear();
  visible_columns_.clear();
}

}  // namespace forge
