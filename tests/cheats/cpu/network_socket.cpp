// kind: network
// tries: asks a server for the answer
// verdict: refused
// layer: system-call filter
// words: system call socket
#include <netinet/in.h>
#include <sys/socket.h>

#include "kit.h"

extern "C" int forge_launch(const Args*, void*) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in local{AF_INET, htons(80), {htonl(INADDR_LOOPBACK)}, {}};
  connect(fd, reinterpret_cast<const sockaddr*>(&local), sizeof local);
  return 0;
}
