// kind: compile-bomb
// tries: a source that includes itself
// verdict: compile_error
// layer: limits on the compiler
// words: In file included from
// compile_seconds: 5
#include "forge_args.h"
#include __FILE__
