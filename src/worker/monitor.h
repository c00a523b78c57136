// The last look at a confirmed kernel, beside the references: fresh seeds twice, and inputs that
// nobody drew. May know: session.h. What it finds decides nothing: docs/formats/judge.md.
#pragma once

#include <vector>

#include "base/random.h"
#include "judge/monitor.h"
#include "worker/session.h"

namespace forge {

// `arms`: the candidate and the references, none of them set up. Never an error: what can't be
// tried is noted, since a confirmation that went well must not be lost over this.
MonitorFindings monitor_arms(Session& session, const std::vector<PreparedArm*>& arms,
                             Random& random);

}  // namespace forge
