// A chain of generations in a fake world. The kernel is a ladder: kRung climbs it, each rung 8 %
// faster than the one below, and a candidate more than one rung above its reference is wrong. For
// tests only.
#pragma once

#include <optional>

#include "evolve/evolve.h"
#include "fakes/fake_run.h"

namespace forge {

class FakeChain {
 public:
  // `rungs` above the start kernel's 0.
  explicit FakeChain(int rungs);

  Result<EvolveEnd> evolve();
  // Evolves a chain that must come to an end.
  ChainState evolve_to_end();
  ChainState state();
  ChainPaths paths() const { return {".artifacts", "norm"}; }

  FakeRun world;
  EvolveRequest request{"tasks/norm", ".artifacts", std::nullopt, std::nullopt};

 private:
  int reference_rung();
};

// What must not depend on interruptions, as text.
std::string essence(const ChainState& state);

}  // namespace forge
