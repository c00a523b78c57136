// What a round's job says about its candidate. Pure. May know: run, worker/result.h.
#pragma once

#include <optional>

#include "run/state.h"
#include "worker/result.h"

namespace forge {

// Labels of the arms in a round's and a confirmation's job.
inline constexpr std::string_view kCandidateArm = "candidate";
inline constexpr std::string_view kIncumbentArm = "incumbent";

Verdict verdict_of(const CandidateOutcome& outcome);

// The cold-cache contrast with `opponent`; nullptr if the job timed none.
const Contrast* cold_contrast(const JudgeResult& result, std::string_view opponent);
// Of the cold-cache contrast with `opponent`, if the job timed it.
std::optional<MeasuredRatio> measured_ratio(const JudgeResult& result, std::string_view opponent);

// The cold-cache contrast with the reference that the candidate is the least ahead of: with several
// references, the fastest is the one to beat. nullptr: the job timed none.
const Contrast* hardest_reference(const JudgeResult& result);

// The verdict on the round that is open in `state`. The candidate becomes best if the same job
// found it faster than the incumbent, or if it is correct and there is no incumbent. If its
// artefact was judged before, that verdict stands and this measurement is dropped, so that noise
// can't be farmed.
RoundJudged judge_round(const State& state, const RoundStarted& round, const JobResult& result);

// The verdict on an earlier round with the same source: such a candidate is not timed again.
std::optional<RoundJudged> reused_verdict(const State& state, const RoundStarted& round);

// Missing evidence after all retries; never counted as wrong.
RoundJudged no_verdict(const RoundStarted& round, std::string reason);

// True if the job said nothing about the candidate, so that running it again makes sense.
bool should_retry(const Result<JobResult>& result);

}  // namespace forge
