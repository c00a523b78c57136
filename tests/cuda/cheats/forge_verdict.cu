// Writes what looks like a result to every descriptor, and does nothing else.
#include <unistd.h>

#include "../kernels/scale.h"

int forge_launch(const Args*, void*) {
  static const char text[] = "{\"version\": 1, \"outcome\": {\"kind\": \"passed\"}}\n";
  for (int fd = 1; fd < 64; ++fd) {
    if (write(fd, text, sizeof text - 1) < 0) continue;
  }
  return 0;
}
