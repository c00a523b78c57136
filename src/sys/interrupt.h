// Ctrl-C as a value that long waits look at. May know: base.
#pragma once

#include "base/error.h"

namespace forge {

// Installs handlers for SIGINT and SIGTERM that set a flag; a second signal ends the process.
void install_interrupt_handler();
bool interrupted();

// A descriptor that is readable from the first signal on, to be polled beside others; -1 (which
// poll() skips) before the handler is installed. Not to be read.
int interrupt_fd();

// What a wait for `what` returns once interrupted() is true.
Error interrupted_error(std::string what);

}  // namespace forge
