// kind: lazy-output
// tries: takes the output's pages away and computes when somebody touches them
// verdict: refused
// layer: system-call filter
// words: system call rt_sigaction
#include "kit.h"

Args late;

void on_touch(int, siginfo_t*, void*) {
  mprotect(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(late.y) & ~4095ul), 4096,
           PROT_READ | PROT_WRITE);
  kit::saxpy(late);
}

extern "C" int forge_launch(const Args* args, void*) {
  late = *args;
  struct sigaction action{};
  action.sa_sigaction = on_touch;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  mprotect(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(args->y) & ~4095ul), 4096,
           PROT_NONE);
  return 0;
}
