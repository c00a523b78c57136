// Server-sent events: splits a stream into the data of its events. Pure. May know: base.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace forge {

class EventStream {
 public:
  // Calls `take(data)` for each event that `bytes` completes; stops at its first error. Events
  // without data (comments, to keep the line open) are passed over.
  template <typename Take>
  Status feed(std::string_view bytes, Take take) {
    pending_ += bytes;
    std::size_t begin = 0;
    for (auto end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n', begin)) {
      std::string_view line = std::string_view(pending_).substr(begin, end - begin);
      begin = end + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) {
        add_line(line);
      } else if (has_data_) {
        const std::string data = take_data();
        FORGE_TRY_STATUS(take(std::string_view(data)));
      }
    }
    pending_.erase(0, begin);
    return within_bounds();
  }

 private:
  void add_line(std::string_view line);
  std::string take_data();
  Status within_bounds() const;

  std::string pending_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace forge
