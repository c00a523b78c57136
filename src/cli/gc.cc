// forge gc: removes what jobs left behind and no one reads again; with --cache, also what can be
// made again.
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/subcommands.h"
#include "driver/driver.h"
#include "run/garbage.h"
#include "sys/lease.h"
#include "sys/unfinished.h"

namespace forge {
namespace {

std::string holder() { return fmt::format("forge gc, process {}", getpid()); }

// Bytes that were, or in a dry run would be, freed.
Result<std::uint64_t> remove(const std::vector<Path>& paths, GcMode mode, Context& context) {
  std::uint64_t bytes = 0;
  for (const Path& path : paths) {
    if (!context.fs.exists(path)) continue;
    bytes += context.disk_use(path);
    if (mode == GcMode::kClean) FORGE_TRY_STATUS(context.fs.remove_all(path));
  }
  return bytes;
}

Result<std::uint64_t> clean_run(const Path& run, GcMode mode, Context& context) {
  const RunPaths paths(run);
  FORGE_TRY(const auto lock, context.fs.try_lock(paths.lock(), holder()));
  FORGE_TRY(const State state, read_state(context.fs, run));
  if (mode == GcMode::kClean) FORGE_TRY_STATUS(clear_unfinished(context.fs, run));
  return remove(garbage(state, paths), mode, context);
}

// Jobs use the cache while they hold the timing CPUs, so that whoever holds those may empty it.
Result<std::uint64_t> empty_cache(GcMode mode, Context& context) {
  FORGE_TRY(const Path cache, cache_folder(context));
  const auto tell = [&](const std::string& why) { context.out << why << std::endl; };
  FORGE_TRY(const auto lease, lease_cpus(context.fs, lease_directory(), holder(), tell));
  FORGE_TRY(const auto names, context.fs.list(cache));
  std::vector<Path> paths;
  for (const std::string& name : names) paths.push_back(cache / name);
  return remove(paths, mode, context);
}

Result<std::vector<Path>> chosen_runs(const GcOptions& options, Context& context) {
  if (!options.run.empty()) {
    FORGE_TRY(const Path run, find_run(context.fs, context.artifacts, options.run));
    return std::vector<Path>{run};
  }
  if (!context.fs.is_directory(context.artifacts)) return std::vector<Path>{};
  return find_runs(context.fs, context.artifacts);
}

}  // namespace

Result<int> run_gc(const GcOptions& options, Context& context) {
  const std::string_view done = options.mode == GcMode::kClean ? "freed" : "would be freed";
  const auto say = [&](const std::string& what, std::uint64_t bytes) {
    context.out << fmt::format("{}: {} {}\n", what, format_bytes(static_cast<double>(bytes)), done);
  };
  FORGE_TRY(const auto runs, chosen_runs(options, context));
  std::uint64_t total = 0;
  for (const Path& run : runs) {
    const auto freed = clean_run(run, options.mode, context);
    if (!freed) {
      // One that is being driven, or is damaged, must not keep the others from being cleaned.
      context.out << fmt::format("{}: left as it is: {}\n", run.filename().string(),
                                 freed.error().message());
      continue;
    }
    if (*freed > 0) say(run.filename().string(), *freed);
    total += *freed;
  }
  if (options.cache == GcCache::kEmpty) {
    FORGE_TRY(const std::uint64_t freed, empty_cache(options.mode, context));
    say("cache", freed);
    total += freed;
  }
  say("total", total);
  return kExitOk;
}

}  // namespace forge
