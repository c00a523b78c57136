// kind: slow-baseline
// tries: raises its own priority over everybody's, the reference's included
// verdict: refused
// layer: system-call filter
// words: system call sched_setscheduler
#include <sched.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  const sched_param parameters{99};
  sched_setscheduler(0, SCHED_FIFO, &parameters);
  kit::saxpy(*args);
  return 0;
}
