// kind: define-judge-symbol
// tries: to export functions that the runner calls, past the linker's list of exports
// verdict: compile_error
// layer: linker
// words: memcpy
#include "kit.h"

extern "C" void* stolen(void* to, const void*, std::size_t) { return to; }
asm(".globl memcpy\n"
    ".symver stolen, memcpy@@GLIBC_2.14");

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
