// What a chain is at a moment, folded from its events, and what happens next. Pure. May know:
// chain_event.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evolve/chain_event.h"
#include "run/record.h"

namespace forge {

struct Generation {
  GenerationOpened opened;
  std::optional<GenerationEnded> ended;
};

struct ChainState {
  double elapsed_s = 0;
  std::optional<ChainCreated> created;
  std::vector<Generation> generations;  // number k is [k]
  std::vector<ProblemWritten> written;  // for generation k is [k - 1]
  std::optional<CumulativeMeasured> cumulative;
  std::optional<ChainFinished> finished;
};

using ChainEntry = EntryOf<ChainEvent>;

// Refuses an event that contradicts the state.
Result<ChainState> apply(ChainState state, const ChainEntry& entry);

// Whether a generation's best takes the place of its reference: confirmed, the point above the
// noise floor and the lower end above 1.
bool is_gain(const GenerationEnded& ended);
// Generations whose best did.
std::vector<int> gains(const ChainState& state);

// What is to be done; the outcome of each is one event.
struct OpenGeneration {
  int generation = 0;
};
struct DriveGeneration {
  int generation = 0;
};
struct WriteProblem {
  int generation = 0;  // that it is for
};
struct MeasureCumulative {};
struct FinishChain {
  ChainFinished finished;
};
struct ChainIsDone {};
using ChainAction = std::variant<OpenGeneration, DriveGeneration, WriteProblem, MeasureCumulative,
                                 FinishChain, ChainIsDone>;

ChainAction next(const ChainState& state);

}  // namespace forge
