// kind: read-answer-from-disk
// tries: opens a file by the 32-bit system-call table, whose numbers differ
// verdict: refused
// layer: system-call filter
// words: system call
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  long result = 5;  // open, there
  asm volatile("int $0x80" : "+a"(result) : "b"("/etc/passwd"), "c"(0), "d"(0) : "memory");
  return result > 0;
}
