#include "sys/lease.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>

#include "sys/interrupt.h"

namespace forge {
namespace {

// flock() cannot be waited for together with Ctrl-C, so we look again; a lease is held for seconds.
constexpr int kLookAgainMs = 50;

void wait_a_little() {
  pollfd ctrl_c{interrupt_fd(), POLLIN, 0};
  ::poll(&ctrl_c, 1, kLookAgainMs);
}

}  // namespace

Path lease_directory() {
  if (const char* configured = std::getenv("FK_LEASE_DIR"); configured != nullptr && *configured) {
    return configured;
  }
  return fmt::format("/tmp/forgekernel-{}", ::getuid());
}

Result<std::unique_ptr<FileLock>> lease_cpus(Fs& fs, const Path& directory, std::string_view holder,
                                             const OnLeaseWait& on_wait) {
  FORGE_TRY_STATUS(fs.make_directories(directory));
  const Path path = directory / "timing-cpus.lock";
  bool announced = false;
  while (true) {
    auto lock = fs.try_lock(path, holder);
    if (lock || lock.error().kind != ErrorKind::kBusy) return lock;
    if (!announced && on_wait) {
      on_wait(
          fmt::format("waiting for the timing CPUs ({}): {}", path.string(), lock.error().cause));
    }
    announced = true;
    if (interrupted()) return interrupted_error("the timing CPUs");
    wait_a_little();
  }
}

}  // namespace forge
