// A compiler that never ends.
#include "forge_args.h"

template <int N>
struct Bomb {
  static constexpr long value = Bomb<N - 1>::value + Bomb<N - 2>::value + sizeof(Bomb<N - 3>);
};

constexpr long spin() {
  long sum = 0;
  for (long i = 0; i < 1000000000000; ++i) sum += i;
  return sum;
}
constexpr long endless = spin();

int forge_launch(const Args*, void*) { return static_cast<int>(endless); }
