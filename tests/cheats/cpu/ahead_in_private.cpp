// kind: work-before-the-clock
// tries: the same in memory of its own; when it is called there is only a copy to make
// verdict: refused
// layer: work before the call is counted
// words: before it was called
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) { kit::serve_ahead(*args, 40'000'000, 0); }
