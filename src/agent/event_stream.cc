#include "agent/event_stream.h"

#include <utility>

namespace forge {
namespace {

constexpr std::size_t kMaxEventBytes = 8 << 20;

}  // namespace

void EventStream::add_line(std::string_view line) {
  constexpr std::string_view kField = "data:";
  if (!line.starts_with(kField)) return;
  line.remove_prefix(kField.size());
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (has_data_) data_ += '\n';
  data_ += line;
  has_data_ = true;
}

std::string EventStream::take_data() {
  has_data_ = false;
  return std::exchange(data_, {});
}

Status EventStream::within_bounds() const {
  if (pending_.size() + data_.size() <= kMaxEventBytes) return {};
  return Error{ErrorKind::kInfrastructure, "cannot read", "the server's answer",
               "one event of it is longer than 8 MiB", ""};
}

}  // namespace forge
