// Signal handlers that note, for messages only, what a kernel did wrong before it dies of it.
#pragma once

#include "worker/runner_protocol.h"

namespace forge::runner {

// Requires that `status` outlives the process. Handlers run on a stack of their own.
void note_faults_in(StatusPage* status);

}  // namespace forge::runner
