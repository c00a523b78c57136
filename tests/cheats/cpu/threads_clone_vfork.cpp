// kind: threads-left-running
// tries: a thread that waits for another one's end as after vfork, and can't be stopped meanwhile
// verdict: refused
// layer: system-call filter
// words: system call clone
#include <sched.h>

#include "kit.h"

int sleep_and_end(void*) {
  const timespec while_it_lasts{0, 20'000'000};
  nanosleep(&while_it_lasts, nullptr);
  syscall(SYS_exit, 0);
  return 0;
}

extern "C" int forge_launch(const Args* args, void*) {
  alignas(16) static char stack[65536];
  kit::saxpy(*args);
  clone(sleep_and_end, stack + sizeof stack,
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, nullptr);
  return 0;
}
