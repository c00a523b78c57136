// Ctrl-C as a value that long waits look at. May know: base.
#pragma once

namespace forge {

// Installs handlers for SIGINT and SIGTERM that set a flag; a second signal ends the process.
void install_interrupt_handler();
bool interrupted();

}  // namespace forge
