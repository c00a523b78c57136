// Wrong answers made from the right one: what a judge worth its name refuses, whatever the
// operator. Pure. May know: base, compare.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "judge/compare.h"

namespace forge {

enum class MutantKind {
  kUnwritten,  // what outputs are poisoned with
  kZeros,
  kOnes,
  kCopy,       // of an input's elements, over and over if it has fewer
  kOtherCase,  // the right answer of other inputs
  kLastRowUnwritten,
  kLastRowZero,
  kOneElement,  // one element is off by as much as itself and its row's scale
  kSwappedRows,
  kNarrower,  // every element rounded to about half of its type's digits
};

struct Mutant {
  MutantKind kind = MutantKind::kZeros;
  std::string input;  // of kCopy
  auto operator<=>(const Mutant&) const = default;
};

// "zeros", "a copy of input 'x'", "one wrong element": what follows 'passes when y is …'.
std::string describe(const Mutant& mutant);

// One output of one case, as a kernel that is right would write it: contiguous, in its own dtype.
struct RightAnswer {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
  RowScales scales;  // floats only

  std::int64_t elements() const;
  // The extent of the last dimension; 1 below rank 2, where a row is an element.
  std::int64_t row_elements() const;
  std::int64_t rows() const;
};
RightAnswer right_answer(Dtype dtype, std::span<const std::int64_t> shape,
                         std::span<const std::byte> expected, const RowScales& scales);

// A tensor in logical order, where its elements lie in memory.
struct Source {
  TensorLayout layout;
  const std::byte* first = nullptr;
};

// What a mutant is made of besides the right answer.
struct MutantParts {
  std::optional<Source> copied;        // kCopy
  const RightAnswer* other = nullptr;  // kOtherCase
};

// nullopt where the mutant is the right answer itself (a row swapped with its like), or does not
// exist (two rows of one).
std::optional<std::vector<std::byte>> mutate(const Mutant& mutant, const RightAnswer& right,
                                             const MutantParts& parts, Random& random);

// How many different values it holds, but `most` at the most.
int distinct_values(const RightAnswer& right, int most);

// Digits of a type's significand that kNarrower leaves: those of the next type down, or fewer where
// one rounding to it would be within the tolerance's floor. 0 for integers.
int narrower_digits(Dtype dtype);

}  // namespace forge
