// A compiler that never ends: two classes more for each class.
#include "forge_args.h"

template <unsigned long long N, int Depth>
struct Bomb : Bomb<2 * N, Depth - 1>, Bomb<2 * N + 1, Depth - 1> {};
template <unsigned long long N>
struct Bomb<N, 0> {};

int forge_launch(const Args*, void*) { return static_cast<int>(sizeof(Bomb<1, 40>)); }
