// Drives a chain: each generation is an ordinary run, and a best that beats its reference becomes
// the next reference. May know: everything below evolve. Method: docs/evolution.md.
#pragma once

#include <optional>
#include <variant>

#include "driver/create_run.h"
#include "driver/driver.h"
#include "evolve/chain_paths.h"
#include "evolve/chain_state.h"

namespace forge {

struct EvolveRequest {
  Path task;
  Path artifacts;
  std::optional<double> step;          // absent: as the chain began, 1.05 for a new one
  std::optional<int> max_generations;  // absent: as the chain began, no cap for a new one
};

struct EvolveContext {
  DriverContext& driver;
  Entropy& entropy;
  NewRun run;  // what each generation's run is made with; task, artifacts and id are filled in
};

using EvolveEnd = std::variant<ChainFinished, Interrupted>;

// Begins the chain of a problem, goes on with it, or only writes its report again if it has
// finished. kBusy: another process drives it. An error leaves the chain as its journal says.
Result<EvolveEnd> run_evolve(const EvolveRequest& request, EvolveContext& context);

// The state of a chain on disk, without driving it.
Result<ChainState> read_chain(FileReader& fs, const ChainPaths& paths);

// Bests of the generations that gained, in order: the kernels that the chain is made of.
std::vector<std::pair<int, Path>> generation_kernels(const ChainState& state,
                                                     const Path& artifacts);

}  // namespace forge
