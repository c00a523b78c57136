// How forge judge says what it found. Pure. May know: worker/result.h.
#pragma once

#include <string>

#include "base/json.h"
#include "worker/result.h"

namespace forge {

// The keys are a promise: docs/formats/judge-output.md. Requires a JudgeResult or a PlanResult.
Json judgement_json(const JobResult& result);
std::string judgement_text(const JobResult& result);

// The launch plan as a person reads it; why there is none, otherwise.
std::string explanation_text(const JobResult& result);

// Of the references timed, the fastest: the one against which the kernel does worst. nullptr if
// nothing was timed.
const Contrast* headline(const JudgeResult& judged);

}  // namespace forge
