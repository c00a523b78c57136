// Appending to a paged cache, and the inputs to try it on. Written from description.md alone.
#include "forge/oracle.h"

#include <algorithm>

using namespace forge::oracle;

Groups groups() {
  return {{"typical", "sequences that go on from block to block"},
          {"scattered", "one token here and there, tokens that go nowhere"},
          {"rounding", "halves, overflow and subnormals of f16"}};
}

namespace {

void shuffle(Case& c, std::vector<std::int64_t>& values) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1],
              values[static_cast<std::size_t>(c.random.below(static_cast<std::int64_t>(i)))]);
  }
}

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

// Every slot once, in the order in which sequences use them: block by block, the blocks in any
// order. Each sequence begins in the middle of its first block, whose earlier places come last of
// all.
std::vector<std::int64_t> slots_of_sequences(Case& c) {
  const std::int64_t block = c.dim("block");
  std::vector<std::int64_t> order = numbers(c.dim("blocks"));
  shuffle(c, order);
  std::vector<std::int64_t> slots;
  std::vector<std::int64_t> skipped;
  for (const std::int64_t number : order) {
    const std::int64_t begin = c.random.chance(0.3) ? c.random.below(block) : 0;
    for (std::int64_t place = 0; place < block; ++place) {
      (place < begin ? skipped : slots).push_back(number * block + place);
    }
  }
  slots.insert(slots.end(), skipped.begin(), skipped.end());
  return slots;
}

std::vector<std::int64_t> scattered_slots(Case& c) {
  const std::int64_t block = c.dim("block");
  std::vector<std::int64_t> slots = numbers(c.dim("blocks") * block);
  shuffle(c, slots);
  // First and last places come first.
  std::stable_partition(slots.begin(), slots.end(), [&](std::int64_t slot) {
    return slot % block == 0 || slot % block == block - 1;
  });
  return slots;
}

double value_to_round(Case& c) {
  const double sign = c.random.chance(0.5) ? 1 : -1;
  switch (c.random.below(4)) {
    case 0:  // half-way between neighbours of 11 digits, or near it
      return sign * std::ldexp(static_cast<double>(1024 + c.random.below(1024)) + 0.5 +
                                   (c.random.chance(0.3) ? c.random.uniform(-1e-3, 1e-3) : 0),
                               static_cast<int>(c.random.below(20)) - 16);
    case 1:  // about the largest
      return sign * c.random.uniform(65400, 65600);
    case 2:  // multiples of half the smallest subnormal
      return sign * std::ldexp(static_cast<double>(c.random.below(300)), -25);
    default:
      return sign * std::pow(10, c.random.uniform(-9, 6));
  }
}

}  // namespace

void inputs(Case& c) {
  const View k = c.input("k");
  const View v = c.input("v");
  for (std::int64_t i = 0; i < k.elements(); ++i) {
    k.flat(i) = c.group == "rounding" ? value_to_round(c) : c.random.normal();
    v.flat(i) = c.group == "rounding" ? value_to_round(c) : c.random.normal();
  }
  for (const char* name : {"k_cache", "v_cache"}) {
    const View cache = c.input(name);
    for (std::int64_t i = 0; i < cache.elements(); ++i) cache.flat(i) = c.random.normal();
  }
  const bool is_scattered = c.group == "scattered";
  const std::vector<std::int64_t> slots = is_scattered ? scattered_slots(c) : slots_of_sequences(c);
  const IntView slot = c.input_integers("slot");
  for (std::int64_t t = 0; t < slot.size(0); ++t) {
    const bool has_room = t < static_cast<std::int64_t>(slots.size());
    const bool goes_nowhere = !has_room || (is_scattered && c.random.chance(0.3));
    slot(t) = goes_nowhere ? -1 : slots[static_cast<std::size_t>(t)];
  }
}

void reference(Case& c) {
  const View k = c.input("k");
  const View v = c.input("v");
  const IntView slot = c.input_integers("slot");
  const View k_cache = c.output("k_cache");
  const View v_cache = c.output("v_cache");
  for (const char* name : {"k_cache", "v_cache"}) {
    const View before = c.input(name);
    const View after = c.output(name);
    for (std::int64_t i = 0; i < before.elements(); ++i) after.flat(i) = before.flat(i);
  }
  const std::int64_t block = c.dim("block");
  for (std::int64_t t = 0; t < slot.size(0); ++t) {
    if (slot(t) < 0) continue;
    const std::int64_t number = slot(t) / block;
    const std::int64_t place = slot(t) % block;
    for (std::int64_t h = 0; h < c.dim("heads"); ++h) {
      for (std::int64_t d = 0; d < c.dim("head"); ++d) {
        k_cache(number, h, place, d) = round_to("f16", k(t, h, d));
        v_cache(number, h, d, place) = round_to("f16", v(t, h, d));
      }
    }
  }
}
