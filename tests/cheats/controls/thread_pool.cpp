// control: a thread that waits for work between calls
#include <condition_variable>
#include <mutex>
#include <thread>

#include "kit.h"

namespace {

std::mutex mutex;
std::condition_variable changed;
const Args* work = nullptr;

void serve() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [] { return work != nullptr; });
    kit::saxpy(*work, 0, work->dims.n / 2);
    work = nullptr;
    changed.notify_all();
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) {
  static bool started = (std::thread(serve).detach(), true);
  std::unique_lock lock(mutex);
  work = started ? args : nullptr;
  changed.notify_all();
  kit::saxpy(*args, args->dims.n / 2, args->dims.n);
  changed.wait(lock, [] { return work == nullptr; });
  return 0;
}
