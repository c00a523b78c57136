#include "cli/status_line.h"

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

// Longer lines would wrap, and only their last part could be overwritten.
constexpr std::size_t kLongestLine = 110;

std::string one_line(std::string_view text) {
  std::string out = printable(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace

void StatusLine::show(const std::string& what, std::string_view moving) {
  if (terminal_ == Terminal::kPlain) {
    if (what == last_) return;
    last_ = what;
    out_ << one_line(what) << std::endl;
    return;
  }
  std::string text = one_line(what);
  if (!moving.empty()) text += "  " + std::string(moving);
  if (text == last_ && visible_) return;
  last_ = text;
  out_ << "\r\x1b[K" << text.substr(0, kLongestLine) << std::flush;
  visible_ = true;
}

void StatusLine::keep(std::string_view text) {
  clear();
  out_ << one_line(text) << std::endl;
}

void StatusLine::clear() {
  if (!visible_) return;
  out_ << "\r\x1b[K" << std::flush;
  visible_ = false;
}

}  // namespace forge
