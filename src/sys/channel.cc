#include "sys/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

namespace forge {
namespace {

constexpr std::size_t kMaxDescriptors = 8;
constexpr std::size_t kMaxMessage = 16384;

Error failure(const std::string& attempt, const std::string& cause) {
  return Error{ErrorKind::kInfrastructure, attempt, "the helper process", cause, ""};
}

}  // namespace

Result<Channel> Channel::create() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return failure("cannot make a channel to", strerror(errno));
  }
  Channel channel;
  channel.mine_.reset(ends[0]);
  channel.other_.reset(ends[1]);
  return channel;
}

Channel Channel::adopt(int descriptor) {
  Channel channel;
  channel.mine_.reset(descriptor);
  return channel;
}

Status Channel::send(const std::string& message, const std::vector<int>& descriptors) {
  FORGE_CHECK(descriptors.size() <= kMaxDescriptors && !message.empty());
  iovec part{const_cast<char*>(message.data()), message.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t bytes = descriptors.size() * sizeof(int);
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(first), descriptors.data(), bytes);
  }
  while (sendmsg(mine_.get(), &header, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return failure("cannot write to", strerror(errno));
  }
  return {};
}

Result<std::string> Channel::receive(std::chrono::milliseconds timeout) {
  pollfd waiting{mine_.get(), POLLIN, 0};
  const int ready = poll(&waiting, 1, static_cast<int>(timeout.count()));
  if (ready == 0) {
    return failure("cannot hear from",
                   "it said nothing for " + std::to_string(timeout.count() / 1000) + " s");
  }
  char buffer[kMaxMessage];
  const ssize_t count = ready < 0 ? -1 : recv(mine_.get(), buffer, sizeof buffer, 0);
  if (count < 0 && errno != ECONNRESET) return failure("cannot read from", strerror(errno));
  return std::string(buffer, count < 0 ? 0 : static_cast<std::size_t>(count));
}

Result<Channel::Message> Channel::receive_with_descriptors() {
  char buffer[kMaxMessage];
  iovec part{buffer, sizeof buffer};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t count = -1;
  do {
    count = recvmsg(mine_.get(), &header, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno != ECONNRESET) return failure("cannot read from", strerror(errno));
  Message message;
  message.text.assign(buffer, count < 0 ? 0 : static_cast<std::size_t>(count));
  for (cmsghdr* each = CMSG_FIRSTHDR(&header); each != nullptr; each = CMSG_NXTHDR(&header, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= each->cmsg_len; at += sizeof(int)) {
      int descriptor = -1;
      memcpy(&descriptor, reinterpret_cast<char*>(each) + at, sizeof descriptor);
      message.descriptors.emplace_back(descriptor);
    }
  }
  return message;
}

}  // namespace forge
