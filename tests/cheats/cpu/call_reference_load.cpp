// kind: call-reference
// tries: loads a vendor's library when it is called
// verdict: refused
// layer: system-call filter
// words: system call openat
#include <dlfcn.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  dlopen("libopenblas.so.0", RTLD_NOW);
  kit::saxpy(*args);
  return 0;
}
