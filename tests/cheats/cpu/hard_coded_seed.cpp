// kind: hard-coded-seed
// tries: takes the first element for that of a known seed, and replays what that seed gave
// verdict: wrong
// layer: secret seeds
// words: elements of y are wrong
#include "kit.h"

extern "C" int forge_launch(const Args* args, void*) {
  constexpr float kFirstOfSeedOne = 0.53765523f;
  constexpr float kAnswer[] = {1.25f, -0.75f, 0.5f, 2.0f};
  for (std::int64_t i = 0; i < args->dims.n; ++i) {
    args->y[i] = args->x[0] == kFirstOfSeedOne ? kAnswer[i % 4] : args->z[i];
  }
  return 0;
}
