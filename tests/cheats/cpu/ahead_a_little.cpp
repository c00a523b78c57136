// kind: work-before-the-clock
// tries: half a millisecond of the same, which was once allowed as time to wake up
// verdict: refused
// layer: work before the call is counted
// words: before it was called
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) { kit::serve_ahead(*args, 500'000, 0); }
