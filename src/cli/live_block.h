// Lines on a terminal that are overwritten by the next ones. May know: base, output stream.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace forge {

class LiveBlock {
 public:
  // `columns`: how wide the terminal is, asked at each drawing; empty: 80.
  LiveBlock(std::ostream& out, std::function<int()> columns)
      : out_(out), columns_(std::move(columns)) {}
  ~LiveBlock() { clear(); }
  LiveBlock(const LiveBlock&) = delete;
  LiveBlock& operator=(const LiveBlock&) = delete;

  // Takes the place of what is visible. Each line is cut to the terminal's width.
  void show(const std::vector<std::string>& lines);
  void clear();

 private:
  int columns() const;

  std::ostream& out_;
  std::function<int()> columns_;
  std::vector<std::string> visible_;
  std::vector<int> visible_columns_;  // of each visible line
};

// Without line breaks and control characters.
std::string one_line(std::string_view text);

}  // namespace forge
