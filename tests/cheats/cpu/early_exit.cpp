// kind: early-exit
// tries: ends the process with success in the first call
// verdict: crash
// layer: the process must live
// words: exit code 0
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) { _exit(0); }
