#include "base/random.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "base/digest.h"
#include "base/error.h"

namespace forge {
namespace {

// SplitMix64 (Steele, Lea and Flood 2014), the seeding that xoshiro's authors recommend.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

// By way of a digest, so that a stream that is known tells nothing of the seed or of other streams.
Random::Random(std::uint64_t seed, std::string_view label) {
  const auto seed_bytes = std::as_bytes(std::span(&seed, 1));
  const Digest digest = Hasher().add(seed_bytes).add(label).finish();
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const char* begin = digest.hex.data() + 16 * i;
    std::from_chars(begin, begin + 16, state_[i], 16);
  }
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  FORGE_CHECK(bound > 0);
  // The lowest 2^64 mod bound values are rejected; the rest is a whole number of bounds.
  const std::uint64_t threshold = (0 - bound) % bound;
  std::uint64_t value = next();
  while (value < threshold) value = next();
  return value % bound;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

// Marsaglia's polar method. The second value is dropped: a cached one would be hidden state.
double Random::normal() {
  while (true) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

}  // namespace forge
