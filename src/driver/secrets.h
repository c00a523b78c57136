// The seeds that no agent may foresee: secrets.json, readable to its owner only. May know: run,
// sys.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "run/paths.h"
#include "run/plan.h"
#include "sys/clock.h"

namespace forge {

inline constexpr std::size_t kRoundSeedPool = 8;
inline constexpr std::size_t kSeedsPerJob = 4;

struct Secrets {
  std::vector<std::uint64_t> round_seeds;                      // kRoundSeedPool
  std::vector<std::vector<std::uint64_t>> confirmation_seeds;  // kMaxConfirmations sets
};

Secrets draw_secrets(Entropy& entropy);
Status write_secrets(Fs& fs, const RunPaths& paths, const Secrets& secrets);
Result<Secrets> read_secrets(FileReader& fs, const RunPaths& paths);

// The seeds of a job that belongs to no run.
std::vector<std::uint64_t> draw_job_seeds(Entropy& entropy);

// The seeds of job `job`: kSeedsPerJob of the pool, the same ones whenever they are asked for.
std::vector<std::uint64_t> round_seeds(const Secrets& secrets, std::uint64_t run_seed, int job);

}  // namespace forge
