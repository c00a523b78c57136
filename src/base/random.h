// A seedable generator for schedules and simulations (xoshiro256**, Blackman and Vigna 2018) and
// the splitting of one secret into many. Not for keys: those come from sys/. Does no I/O.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace forge {

class Random {
 public:
  explicit Random(std::uint64_t seed);
  // An independent stream for a purpose: the same seed and label give the same stream.
  Random(std::uint64_t seed, std::string_view label);

  std::uint64_t next();
  // Uniform in [0, bound), without modulo bias; requires bound > 0.
  std::uint64_t below(std::uint64_t bound);
  double uniform();  // [0, 1)
  double normal();   // standard normal

  template <typename Container>
  void shuffle(Container& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace forge
