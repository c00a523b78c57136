// kind: smuggled-binary
// tries: a system call as bytes among the code, where no inspection of symbols sees it
// verdict: refused
// layer: system-call filter
// words: system call openat
#include "kit.h"

// mov eax, 257 (openat); syscall; ret
__attribute__((section(".text#")))
const unsigned char kOpen[] = {0xb8, 0x01, 0x01, 0x00, 0x00, 0x0f, 0x05, 0xc3};

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  auto* open =
      reinterpret_cast<long (*)(int, const char*, int)>(reinterpret_cast<std::uintptr_t>(&kOpen));
  open(-100, "/etc/passwd", 0);
  return 0;
}
