// Time and secrets from outside. May know: base. Fake: clock_fake.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace forge {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t monotonic_ns() = 0;
  // UTC, "2026-11-29T22:14:05Z".
  virtual std::string utc_now() = 0;
};

std::unique_ptr<Clock> make_real_clock();

// The form that utc_now() returns, of a number of seconds since 1970.
std::string utc_text(std::int64_t seconds);
// The seconds since 1970 of such a text; nothing if it has another form.
std::optional<std::int64_t> utc_seconds(const std::string& text);

// From the kernel's generator; for seeds that nobody may foresee.
class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual std::uint64_t next() = 0;
};

std::unique_ptr<Entropy> make_real_entropy();

}  // namespace forge
