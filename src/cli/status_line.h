// Shows what is going on: lines that are overwritten on a terminal, a line for each change when the
// output goes to a file or a pipe.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/live_block.h"

namespace forge {

class StatusLine {
 public:
  // `columns`: how wide the terminal is, asked at each drawing; empty: 80.
  StatusLine(std::ostream& out, Terminal terminal, std::function<int()> columns)
      : out_(out), terminal_(terminal), block_(out, std::move(columns)) {}

  // `what` changes seldom and is what a plain output shows; `moving` (clocks) is for terminals and
  // comes first there, since a narrow one cuts the end off. `more` are further lines of a terminal.
  void show(const std::string& what, std::string_view moving,
            const std::vector<std::string>& more = {});
  // A line that stays.
  void keep(std::string_view text);
  void clear() { block_.clear(); }

 private:
  std::ostream& out_;
  Terminal terminal_;
  LiveBlock block_;
  std::string last_;
};

}  // namespace forge
