// kind: static-constructor
// tries: an ifunc, whose resolver the loader calls before the kernel is confined
// verdict: refused
// layer: image inspection
// words: ifunc
#include "kit.h"

static void honest(const Args* args) { kit::saxpy(*args); }
extern "C" {
static void (*resolve())(const Args*) {
  std::fopen("/etc/passwd", "r");
  return honest;
}
}
static void work(const Args* args) __attribute__((ifunc("resolve")));

extern "C" int forge_launch(const Args* args, void*) {
  work(args);
  return 0;
}
