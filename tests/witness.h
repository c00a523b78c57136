// Sees when processes have ended, without asking for processes: a FIFO's reader meets the end of
// the file when the last writer is gone.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sys/unique_fd.h"

namespace forge {

class Witness {
 public:
  explicit Witness(const std::filesystem::path& path) : path_(path) {
    if (::mkfifo(path.c_str(), 0600) == 0) fd_.reset(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  }
  // Shell text that makes a process hold the FIFO open.
  std::string hold() const { return "exec 9>" + path_.string() + "; "; }
  // Waits until something was written: the process has got that far.
  bool wait_for_life() { return poll_for(POLLIN) && ::read(fd_.get(), &byte_, 1) == 1; }
  // Waits until nobody holds it (any more).
  bool wait_for_death() {
    do {
      if (::read(fd_.get(), &byte_, 1) == 0) return true;
    } while (poll_for(POLLIN | POLLHUP));
    return false;
  }

 private:
  bool poll_for(short events) {
    pollfd polled{fd_.get(), events, 0};
    return ::poll(&polled, 1, 30'000) == 1;
  }

  std::filesystem::path path_;
  UniqueFd fd_;
  char byte_ = 0;
};

}  // namespace forge
