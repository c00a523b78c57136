#include "driver/secrets.h"

#include <fmt/format.h>

#include <set>

#include "base/json.h"
#include "base/random.h"

namespace forge {
namespace {

std::vector<std::uint64_t> draw(Entropy& entropy, std::size_t count) {
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 0; i < count; ++i) seeds.push_back(entropy.next());
  return seeds;
}

Json json_of(const std::vector<std::uint64_t>& seeds) {
  Json array = Json::array();
  for (const auto seed : seeds) array.push_back(seed);
  return array;
}

Result<std::vector<std::uint64_t>> read_seeds(const Json* json, std::size_t count,
                                              const Path& file) {
  std::vector<std::uint64_t> seeds;
  const auto* elements = json == nullptr ? nullptr : json->as_array();
  for (std::size_t i = 0; elements != nullptr && i < elements->size(); ++i) {
    std::uint64_t seed = 0;
    if ((*elements)[i].as_uint(seed)) seeds.push_back(seed);
  }
  if (seeds.size() == count) return seeds;
  return Error{ErrorKind::kCorrupt, "cannot read", file.string(),
               fmt::format("it holds {} seeds where {} should be", seeds.size(), count),
               "restore the file from a copy, or start a new run"};
}

}  // namespace

std::vector<std::uint64_t> draw_job_seeds(Entropy& entropy) {
  std::set<std::uint64_t> seeds;
  while (seeds.size() < kSeedsPerJob) seeds.insert(entropy.next());
  return {seeds.begin(), seeds.end()};
}

Secrets draw_secrets(Entropy& entropy) {
  Secrets secrets;
  secrets.round_seeds = draw(entropy, kRoundSeedPool);
  for (int i = 0; i < kMaxConfirmations; ++i) {
    secrets.confirmation_seeds.push_back(draw(entropy, kSeedsPerJob));
  }
  return secrets;
}

Status write_secrets(Fs& fs, const RunPaths& paths, const Secrets& secrets) {
  Json json = Json::object();
  json.set("round_seeds", json_of(secrets.round_seeds));
  Json sets = Json::array();
  for (const auto& set : secrets.confirmation_seeds) sets.push_back(json_of(set));
  json.set("confirmation_seeds", std::move(sets));
  FORGE_TRY_STATUS(fs.write_atomic(paths.secrets(), json.dump_pretty()));
  return fs.set_permissions(paths.secrets(), 0600);
}

Result<Secrets> read_secrets(FileReader& fs, const RunPaths& paths) {
  FORGE_TRY(const auto text, fs.read(paths.secrets()));
  FORGE_TRY(const Json json, parse_json(text, paths.secrets().string()));
  Secrets secrets;
  FORGE_TRY(secrets.round_seeds,
            read_seeds(json.find("round_seeds"), kRoundSeedPool, paths.secrets()));
  const Json* sets = json.find("confirmation_seeds");
  const auto* elements = sets == nullptr ? nullptr : sets->as_array();
  for (std::size_t i = 0; i < kMaxConfirmations; ++i) {
    const Json* set = elements != nullptr && i < elements->size() ? &(*elements)[i] : nullptr;
    FORGE_TRY(auto seeds, read_seeds(set, kSeedsPerJob, paths.secrets()));
    secrets.confirmation_seeds.push_back(std::move(seeds));
  }
  return secrets;
}

std::vector<std::uint64_t> round_seeds(const Secrets& secrets, std::uint64_t run_seed, int job) {
  auto seeds = secrets.round_seeds;
  Random(run_seed, fmt::format("seeds of job {}", job)).shuffle(seeds);
  seeds.resize(kSeedsPerJob);
  return seeds;
}

}  // namespace forge
