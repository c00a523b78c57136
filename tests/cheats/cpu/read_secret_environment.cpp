// kind: read-secret-at-compile
// tries: lets the assembler include the compiler's environment from /proc
// verdict: refused
// layer: confined compiler
// words: environ
#include "kit.h"

asm(".section .rodata\n"
    "secret: .incbin \"/proc/self/environ\"\n"
    ".previous");

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
