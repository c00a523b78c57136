// How long a small CUDA kernel takes from source to plan, and how much of that is nvcc. Each round
// compiles a source that no cache holds. Prints seconds; asserts nothing.
#include <algorithm>
#include <cstdio>

#include "cuda/cuda_rig.h"

namespace {

constexpr int kRounds = 5;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// nvcc alone, as the worker calls it: the artefact's own command in its own folder.
double compiler_seconds(forge::CudaRig& rig, const forge::CudaKernel& kernel) {
  forge::ProcessSpec spec;
  spec.argv = kernel.artefact.command;
  spec.working_directory = kernel.artefact.shared_object.parent_path();
  const auto begin = std::chrono::steady_clock::now();
  const auto result = rig.processes().run(spec);
  FORGE_CHECK(result && result->succeeded());
  return seconds_since(begin);
}

}  // namespace

int main() {
  const forge::Path task = forge::Path(FORGE_SOURCE_DIR) / "tests/tasks/saxpy_cuda";
  forge::CudaRig rig(task);
  if (const std::string missing = rig.missing(); !missing.empty()) {
    std::printf("skipped: %s\n", missing.c_str());
    return 0;
  }
  const std::string source = forge::file_text(task / "start/kernel.cu");
  static_cast<void>(rig.prepare(source));  // builds the recording runtime, once for a toolkit
  std::printf("%9s %9s %9s %9s\n", "all s", "nvcc s", "ours s", "cached s");
  for (int round = 0; round < kRounds; ++round) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string fresh = source + "// " + std::to_string(now) + "\n";
    auto begin = std::chrono::steady_clock::now();
    const auto outcome = rig.prepare(fresh);
    const double all = seconds_since(begin);
    const auto* kernel = std::get_if<forge::CudaKernel>(&outcome);
    FORGE_CHECK(kernel != nullptr);
    begin = std::chrono::steady_clock::now();
    static_cast<void>(rig.prepare(fresh));
    const double cached = seconds_since(begin);
    const double compiler = compiler_seconds(rig, *kernel);
    std::printf("%9.3f %9.3f %9.3f %9.3f\n", all, compiler, all - compiler, cached);
  }
}
