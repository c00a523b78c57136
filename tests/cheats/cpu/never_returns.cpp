// kind: early-exit
// tries: never returns, so that nothing can be held against it
// verdict: timeout
// layer: limit on a call
// words: had not returned
// call_seconds: 0.3
#include "forge_args.h"

extern "C" int forge_launch(const Args*, void*) {
  while (true) asm volatile("");
}
