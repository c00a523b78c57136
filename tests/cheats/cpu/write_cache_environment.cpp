// kind: write-cache-to-disk
// tries: keeps a note in the environment, and does no work where an earlier trial left it
// verdict: wrong
// layer: poison
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const bool noted = std::getenv("FORGE_SEEN") != nullptr;
  setenv("FORGE_SEEN", "1", 1);
  if (!noted) kit::saxpy(*args);
  return 0;
}
