// kind: early-exit
// tries: ends the process with success while it is loaded
// verdict: crash
// layer: the process must live
// words: in its static initialisers
#include "kit.h"

struct Early {
  Early() { _exit(0); }
} early;

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
