// kind: smuggled-binary
// tries: makes a byte array executable
// verdict: refused
// layer: system-call filter
// words: system call mprotect
#include "kit.h"

alignas(4096) unsigned char code[4096] = {0xc3};

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  mprotect(code, sizeof code, PROT_READ | PROT_EXEC);
  reinterpret_cast<void (*)()>(code)();
  return 0;
}
