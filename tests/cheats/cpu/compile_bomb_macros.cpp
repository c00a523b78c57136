// kind: compile-bomb
// tries: macros that double at each of forty levels
// verdict: refused
// layer: limits on the compiler
// words: the compiler
// compile_seconds: 3
#include "forge_args.h"

#define A(x) x x
#define B(x) A(A(A(A(A(A(A(A(x))))))))
#define C(x) B(B(B(B(B(x)))))

extern "C" int forge_launch(const Args*, void*) {
  int n = 0;
  C(++n;)
  return n;
}
