// kind: call-reference
// tries: starts a program that computes the answer
// verdict: refused
// layer: system-call filter
// words: system call
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  char* const arguments[] = {nullptr};
  execve("/bin/true", arguments, arguments);
  kit::saxpy(*args);
  return 0;
}
