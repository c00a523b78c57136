// Shows what is going on: one line that is overwritten on a terminal, a line for each change when
// the output goes to a file or a pipe.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cli/context.h"

namespace forge {

class StatusLine {
 public:
  StatusLine(std::ostream& out, Terminal terminal) : out_(out), terminal_(terminal) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // `what` changes seldom and is what a plain output shows; `moving` (clocks) is for terminals.
  void show(const std::string& what, std::string_view moving);
  // A line that stays.
  void keep(std::string_view text);
  void clear();

 private:
  std::ostream& out_;
  Terminal terminal_;
  std::string last_;
  bool visible_ = false;
};

}  // namespace forge
