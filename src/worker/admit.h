// Tries the judge of an open session: wrong answers against its comparison, exchanged inputs
// against its oracle. May know: everything below worker. What follows from it: judge/admission.h.
#pragma once

#include "judge/admission.h"
#include "worker/session.h"

namespace forge {

// Requires that two contents of every group of every shape were made, and that oracle and
// references agree. An error is infrastructure; a judge that is no good is in the result.
Result<Admission> admit_judge(Session& session, const ToleranceTable& tolerance);

}  // namespace forge
