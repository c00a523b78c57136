#include "sys/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sys/clock_fake.h"

extern "C" std::uint32_t arc4random() noexcept;
extern "C" std::uint32_t arc4random_uniform(std::uint32_t) noexcept;

namespace forge {
namespace {

TEST(Clock, UtcTextIsIso8601) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(1'709'210'096), "2024-02-29T12:34:56Z");
  EXPECT_THAT(make_real_clock()->utc_now(),
              testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:"
                                    "[0-6][0-9]Z"));
}

TEST(Clock, UtcSecondsIsTheInverseAndRefusesEverythingElse) {
  for (const std::int64_t seconds : {0, 1'709'210'096}) {
    EXPECT_EQ(utc_seconds(utc_text(seconds)), seconds);
  }
  for (const char* text : {"", "2024-02-29", "2024-02-29T12:34:56", "2024-02-30T12:34:56Z",
                           "2024-02-29T12:34:56Z ", "2024-2-29T12:34:56Z"}) {
    EXPECT_EQ(utc_seconds(text), std::nullopt) << text;
  }
}

TEST(Clock, MonotonicTimeDoesNotGoBack) {
  const auto clock = make_real_clock();
  const std::int64_t first = clock->monotonic_ns();
  EXPECT_GT(first, 0);
  EXPECT_GE(clock->monotonic_ns(), first);
}

TEST(FakeClock, StandsStillUntilItIsAdvanced) {
  FakeClock clock;
  EXPECT_EQ(clock.monotonic_ns(), 0);
  EXPECT_EQ(clock.utc_now(), "2026-01-01T00:00:00Z");
  clock.advance_seconds(61.5);
  EXPECT_EQ(clock.monotonic_ns(), 61'500'000'000);
  EXPECT_EQ(clock.utc_now(), "2026-01-01T00:01:01Z");
}

TEST(Entropy, RealNumbersDoNotRepeatAndFakeOnesDo) {
  const auto entropy = make_real_entropy();
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(entropy->next());
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(FakeEntropy(3).next(), FakeEntropy(3).next());
  EXPECT_NE(FakeEntropy(3).next(), FakeEntropy(4).next());
}

TEST(Arc4random, TheShimReachesAllResiduesAndStaysInRange) {
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(arc4random_uniform(6));
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(arc4random_uniform(0), 0u);
  EXPECT_FALSE(arc4random() == 0 && arc4random() == 0);
}

}  // namespace
}  // namespace forge
