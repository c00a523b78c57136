// kind: patch-clock
// tries: rewrites the vDSO's clock
// verdict: refused
// layer: system-call filter
// words: system call mprotect
#include <sys/auxv.h>

#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  kit::saxpy(*args);
  void* vdso = reinterpret_cast<void*>(getauxval(AT_SYSINFO_EHDR));
  mprotect(vdso, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  return 0;
}
