#include "judge/likeness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace forge {
namespace {

constexpr std::int64_t kRows = 40;
constexpr std::int64_t kColumns = 50;
using Fill = std::function<double(std::int64_t row, std::int64_t column, Random& random)>;

// Cases of one f32 input whose elements `fill` makes.
class Cases {
 public:
  Cases(const Fill& fill, std::uint64_t seed, int count = 2) {
    Random random(seed);
    for (int c = 0; c < count; ++c) {
      std::vector<float>& values = storage_.emplace_back();
      for (std::int64_t i = 0; i < kRows; ++i) {
        for (std::int64_t j = 0; j < kColumns; ++j) {
          values.push_back(static_cast<float>(fill(i, j, random)));
        }
      }
    }
  }
  GroupFeatures features(std::uint64_t seed, const std::string& settings = "") const {
    std::vector<std::vector<Source>> cases;
    for (const auto& values : storage_) {
      cases.push_back({{TensorLayout::contiguous(Dtype::kF32, {kRows, kColumns}),
                        reinterpret_cast<const std::byte*>(values.data())}});
    }
    Random random(seed);
    return features_of(cases, settings, random);
  }

 private:
  std::vector<std::vector<float>> storage_;
};

double plain(std::int64_t, std::int64_t, Random& random) { return random.normal(); }

Likeness to_plain(const Fill& fill) {
  return likeness_of(Cases(plain, 1).features(2), Cases(fill, 3).features(4));
}

TEST(Likeness, TheSameDistributionIsAlikeWhateverTheSeed) {
  for (std::uint64_t seed = 10; seed < 60; ++seed) {
    EXPECT_EQ(likeness_of(Cases(plain, seed).features(seed), Cases(plain, seed + 100).features(7)),
              Likeness::kAlike)
        << seed;
  }
}

TEST(Likeness, OtherScalesSpikesZeroRowsTiesOrderAndRepeatedRowsAreSeen) {
  const std::vector<std::pair<const char*, Fill>> others = {
      {"scale", [](auto, auto, Random& r) { return 1.5 * r.normal(); }},
      {"a spike a row", [](auto, auto j, Random& r) { return j == 7 ? 30 : r.normal(); }},
      {"zero rows", [](auto i, auto, Random& r) { return i % 7 == 3 ? 0 : r.normal(); }},
      {"scale by row",
       [](auto i, auto, Random& r) {
         return std::pow(4.0, static_cast<double>(i % 5)) * r.normal();
       }},
      {"ties", [](auto, auto, Random& r) { return std::round(16 * r.normal()) / 16; }},
      {"ascending",
       [](auto, auto j, Random& r) { return static_cast<double>(j) / 15 - 1.7 + r.uniform(); }},
      {"equal rows",
       [](auto, auto j, Random&) { return Random(static_cast<std::uint64_t>(j)).normal(); }},
      {"infinities", [](auto, auto j, Random& r) { return j % 9 == 0 ? -INFINITY : r.normal(); }}};
  for (const auto& [name, fill] : others) EXPECT_EQ(to_plain(fill), Likeness::kDifferent) << name;
}

TEST(Likeness, OtherScalarsOrMissingInputsAreADifference) {
  EXPECT_EQ(likeness_of(Cases(plain, 1).features(2, "1;++"), Cases(plain, 3).features(4, "2;++")),
            Likeness::kDifferent);
}

TEST(Likeness, AFewValuesTellNothing) {
  const std::vector<float> few = {1, 2, 3};
  const std::vector<Source> inputs = {
      {TensorLayout::contiguous(Dtype::kF32, {3}), reinterpret_cast<const std::byte*>(few.data())}};
  Random random(1);
  const auto features = features_of({inputs, inputs}, "", random);
  EXPECT_EQ(likeness_of(features, features), Likeness::kUnknown);
}

}  // namespace
}  // namespace forge
