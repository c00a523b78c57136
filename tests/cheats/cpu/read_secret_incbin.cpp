// kind: read-secret-at-compile
// tries: lets the assembler copy the job, seeds included, into the binary
// verdict: refused
// layer: confined compiler
// words: job.json
#include "kit.h"

asm(".section .rodata\n"
    "secret: .incbin \"../../job.json\"\n"
    ".previous");

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
