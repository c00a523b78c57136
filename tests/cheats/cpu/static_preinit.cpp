// kind: static-constructor
// tries: an initialiser of the kind that loaders call first
// verdict: compile_error
// layer: linker
// words: preinit
#include "kit.h"

void early() { std::fopen("/etc/passwd", "r"); }
__attribute__((section(".preinit_array"), used)) void (*const kEarly)() = early;

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  return 0;
}
