// kind: network
// tries: a pair of sockets to pass descriptors through
// verdict: refused
// layer: system-call filter
// words: system call socketpair
#include <sys/socket.h>

#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  return 0;
}
