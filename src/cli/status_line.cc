#include "cli/status_line.h"

#include <fmt/format.h>

namespace forge {

void StatusLine::show(const std::string& what, std::string_view moving,
                      const std::vector<std::string>& more) {
  if (terminal_ == Terminal::kPlain) {
    if (what == last_) return;
    last_ = what;
    out_ << one_line(what) << std::endl;
    return;
  }
  std::vector<std::string> lines = {fmt::format("{}  {}", moving, what)};
  lines.insert(lines.end(), more.begin(), more.end());
  block_.show(lines);
}

void StatusLine::keep(std::string_view text) {
  clear();
  out_ << one_line(text) << std::endl;
}

}  // namespace forge
