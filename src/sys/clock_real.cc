#include <fmt/format.h>
#include <time.h>

#include "sys/clock.h"

namespace forge {
namespace {

class RealClock : public Clock {
 public:
  std::int64_t monotonic_ns() override {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  }

  std::string utc_now() override {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return utc_text(now.tv_sec);
  }
};

}  // namespace

std::string utc_text(std::int64_t seconds) {
  const time_t time = seconds;
  tm utc{};
  ::gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::optional<std::int64_t> utc_seconds(const std::string& text) {
  tm utc{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const std::int64_t seconds = ::timegm(&utc);
  if (utc_text(seconds) != text) return std::nullopt;
  return seconds;
}

std::unique_ptr<Clock> make_real_clock() { return std::make_unique<RealClock>(); }

}  // namespace forge
