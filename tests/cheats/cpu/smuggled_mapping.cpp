// kind: smuggled-binary
// tries: maps executable memory and copies machine code there
// verdict: refused
// layer: system-call filter
// words: system call mmap
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  constexpr unsigned char kReturn[] = {0xc3};
  void* code =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(code, kReturn, sizeof kReturn);
  reinterpret_cast<void (*)()>(code)();
  return 0;
}
