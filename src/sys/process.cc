#include "sys/process.h"

#include <fmt/format.h>
#include <string.h>

namespace forge {
namespace {

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string seconds_text(std::chrono::milliseconds limit) {
  return fmt::format("{} s", static_cast<double>(limit.count()) / 1000);
}

}  // namespace

std::string ProcessResult::describe_end() const {
  if (const auto* exited = std::get_if<Exited>(&end)) {
    return fmt::format("exited with {}", exited->code);
  }
  if (const auto* signalled = std::get_if<Signalled>(&end)) {
    return fmt::format("was killed by {}", signal_name(signalled->signal));
  }
  return fmt::format("took longer than {}", seconds_text(std::get<TimedOut>(end).limit));
}

}  // namespace forge
