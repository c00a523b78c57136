// Time and entropy for tests. May know: base, clock.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "sys/clock.h"

namespace forge {

// Stands still until it is advanced.
class FakeClock : public Clock {
 public:
  std::int64_t monotonic_ns() override { return now_ns_; }
  std::string utc_now() override { return utc_text(kStart + now_ns_ / 1'000'000'000); }

  void advance_ns(std::int64_t ns) { now_ns_ += ns; }
  void advance_seconds(double seconds) { advance_ns(static_cast<std::int64_t>(seconds * 1e9)); }

 private:
  static constexpr std::int64_t kStart = 1'767'225'600;  // 2026-01-01T00:00:00Z
  std::int64_t now_ns_ = 0;
};

// The same numbers for the same seed.
class FakeEntropy : public Entropy {
 public:
  explicit FakeEntropy(std::uint64_t seed = 1) : random_(seed) {}
  std::uint64_t next() override { return random_.next(); }

 private:
  Random random_;
};

}  // namespace forge
