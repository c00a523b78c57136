// Compiles every configuration of a problem's start kernel into the cache, so that recording the
// space (forge tune --exhaustive) measures and need not compile while it holds the timing CPUs.
//
//   build_space TASK [KERNEL]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "driver/kernel_space.h"
#include "problem/load.h"
#include "run/paths.h"
#include "sys/support_files.h"
#include "worker/kernel_build.h"

namespace forge {
namespace {

constexpr std::size_t kMostPoints = 20'000;

Path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const Path base = cache != nullptr ? Path(cache) : Path(home == nullptr ? "." : home) / ".cache";
  return std::filesystem::absolute(base / "forgekernel");
}

Status build_all(const Path& task, const Path& kernel) {
  const auto fs = make_real_fs();
  const auto processes = make_real_process_runner();
  FORGE_TRY(const Problem problem, load_problem(*fs, task, HiddenShapes::kIgnore));
  FORGE_TRY(const std::string source, fs->read(kernel));
  FORGE_TRY(const KernelChoices choices, scan_choices(source, kernel.string()));
  FORGE_TRY(const Space space, kernel_space(choices, problem));
  const auto points = space.points(kMostPoints);
  if (!points) {
    return Error{ErrorKind::kInvalidInput, "cannot build", kernel.string(), "too many points", ""};
  }
  const Path cache = cache_folder();
  KernelBuild build;
  build.source = kernel;
  build.scratch = cache / "making" / "build_space";
  build.problem_folder = task;
  build.cache = cache;
  build.problem = &problem;
  FORGE_TRY(build.support, materialise_support_files(*fs, cache));
  WorkerContext context;
  context.fs = fs.get();
  context.processes = processes.get();
  FORGE_TRY_STATUS(write_kernel_header(build, context));
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> failed = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < points->size(); i = next++) {
      KernelBuild one = build;
      one.tunables = header_settings(space.settings((*points)[i]));
      const auto compiled = compile_kernel(one, context);
      if (!compiled || !std::holds_alternative<CpuArtefact>(*compiled)) ++failed;
      if (i % 50 == 0) std::printf("%zu of %zu\n", i, points->size());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::printf("%zu points, %zu did not compile\n", points->size(), failed.load());
  return {};
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: build_space TASK [KERNEL]\n");
    return 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const forge::Path task = argv[1];
  const forge::Path kernel = argc == 3 ? forge::Path(argv[2]) : task / "start" / "kernel.cpp";
  const auto built = forge::build_all(task, kernel);
  if (built) return 0;
  std::fprintf(stderr, "build_space: %s\n", built.error().message().c_str());
  return 1;
}
