// kind: forge-verdict
// tries: writes a verdict to every descriptor that might be open
// verdict: refused
// layer: system-call filter
// words: system call write
#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  constexpr char kVerdict[] = "{\"verdict\":\"passed\",\"ratio\":{\"point\":100}}\n";
  long written = 0;
  for (int fd = 0; fd < 256; ++fd) written += write(fd, kVerdict, sizeof kVerdict - 1);
  return written < 0;
}
