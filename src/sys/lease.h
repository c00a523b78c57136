// One timing at a time: whoever measures holds the lock of the timing CPUs. May know: base, fs.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

// Called once, if the lease is held by another; the text says by whom and names the lock.
using OnLeaseWait = std::function<void(const std::string& why)>;

// FK_LEASE_DIR, else /tmp/forgekernel-<user id>. All processes on a machine that may disturb each
// other's timings must agree on it.
Path lease_directory();

// Waits until the lock of the timing CPUs is free and takes it. kInterrupted after Ctrl-C.
// `holder` says who we are, to those who will wait for us.
Result<std::unique_ptr<FileLock>> lease_cpus(Fs& fs, const Path& directory, std::string_view holder,
                                             const OnLeaseWait& on_wait);

}  // namespace forge
