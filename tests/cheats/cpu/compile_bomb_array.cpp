// kind: compile-bomb
// tries: asks for an object file of 16 GiB
// verdict: refused
// layer: limits on the compiler
// words: larger than 256 MiB
// compile_seconds: 5
#include "forge_args.h"

char huge[1ull << 34] = {1};

extern "C" int forge_launch(const Args*, void*) { return huge[1]; }
