// Shows what is going on: one line that is overwritten on a terminal, a line for each change when
// the output goes to a file or a pipe.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/context.h"

namespace forge {

class StatusLine {
 public:
  // `columns`: how wide the terminal is, asked at each drawing; empty: 80.
  StatusLine(std::ostream& out, Terminal terminal, std::function<int()> columns)
      : out_(out), terminal_(terminal), columns_(std::move(columns)) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // `what` changes seldom and is what a plain output shows; `moving` (clocks) is for terminals and
  // comes first there, since a narrow one cuts the end off.
  void show(const std::string& what, std::string_view moving);
  // A line that stays.
  void keep(std::string_view text);
  void clear();

 private:
  int columns() const;

  std::ostream& out_;
  Terminal terminal_;
  std::function<int()> columns_;
  std::string last_;
  int visible_columns_ = 0;  // of the line that is on the screen; 0: none
};

}  // namespace forge
