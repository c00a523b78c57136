// kind: static-constructor
// tries: reads the answers while it is loaded, before any check
// verdict: refused
// layer: system-call filter
// words: openat in its static initialisers
#include "kit.h"

struct Early {
  Early() { std::fopen("../problem/check/oracle.cpp", "r"); }
} early;

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
