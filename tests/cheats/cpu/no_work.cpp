// kind: no-work
// tries: returns at once
// verdict: wrong
// layer: poison
// words: is nan
#include "forge_args.h"

extern "C" int forge_launch(const Args*, void*) { return 0; }
