// kind: compile-bomb
// tries: instantiates templates without end
// verdict: refused
// layer: limits on the compiler
// words: the compiler
// compile_seconds: 3
#include "forge_args.h"

template <int kDepth, int kBranch>
struct Bomb {
  static constexpr long value =
      Bomb<kDepth - 1, 2 * kBranch>::value + Bomb<kDepth - 1, 2 * kBranch + 1>::value;
};
template <int kBranch>
struct Bomb<0, kBranch> {
  static constexpr long value = kBranch;
};

extern "C" int forge_launch(const Args*, void*) { return Bomb<24, 1>::value == 0 ? 1 : 0; }
