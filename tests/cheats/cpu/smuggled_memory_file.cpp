// kind: smuggled-binary
// tries: writes a library into a memory file and loads it
// verdict: refused
// layer: system-call filter
// words: system call memfd_create
#include <dlfcn.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  const int file = memfd_create("library", 0);
  if (write(file,
            "\x7f"
            "ELF",
            4) != 4)
    return 0;
  dlopen("/proc/self/fd/3", RTLD_NOW);
  return 0;
}
