// Compiles and plans CUDA kernels with no GPU, for tests that need the real nvcc. One rig serves a
// whole suite; artefacts are kept in the build tree by digest, so that a second run compiles only
// what changed.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <variant>

#include "problem/load.h"
#include "sys/support_files.h"
#include "temporary_directory.h"
#include "worker/content_pool.h"
#include "worker/cuda_kernel.h"

namespace forge {

inline Path cuda_test_cache() { return Path(FORGE_BINARY_DIR) / "cuda-test-cache"; }

inline std::string file_text(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

using CudaOutcome = std::variant<CudaKernel, CandidateOutcome>;

class CudaRig {
 public:
  explicit CudaRig(const Path& task)
      : fs_(make_real_fs()),
        processes_(make_real_process_runner()),
        clock_(make_real_clock()),
        task_(task),
        problem_(require(load_problem(*fs_, task, HiddenShapes::kLoad))),
        shapes_(require(all_shapes(problem_))),
        support_(require(materialise_support_files(*fs_, cuda_test_cache()))) {
    limits.call_seconds = 5;
    limits.compile_seconds = 300;
    limits.memory_bytes = 1ull << 30;
  }

  // Why kernels can't be compiled here; empty if they can.
  std::string missing() {
    const auto toolkit = identify_cuda_toolkit(*fs_, *processes_);
    return toolkit ? "" : toolkit.error().message();
  }

  Problem& problem() { return problem_; }
  Fs& fs() { return *fs_; }
  ProcessRunner& processes() { return *processes_; }
  JobLimits limits;

  CudaOutcome prepare(const std::string& source, const std::vector<Path>& includes = {}) {
    const Path file = directory_.path() / "source" / "kernel.cu";
    require(fs_->make_directories(file.parent_path()));
    require(fs_->write_atomic(file, source));
    KernelBuild build;
    build.label = "candidate";
    build.source = file;
    build.scratch = directory_.path();
    build.support = support_;
    build.problem_folder = task_;
    build.cache = cuda_test_cache();
    Problem problem = problem_;
    for (const Path& include : includes) problem.build.includes.push_back(include.string());
    build.problem = &problem;
    build.limits = limits;
    const DeviceProfile device = require(planning_device(problem));
    const WorkerContext context{fs_.get(), processes_.get(), clock_.get(), {}};
    return require(prepare_cuda_kernel(build, device, instances(), 1, context));
  }

  std::vector<const Instance*> instances() const {
    std::vector<const Instance*> all;
    for (const ShapeInstances& groups : shapes_.instances) {
      for (const Instance& instance : groups) all.push_back(&instance);
    }
    return all;
  }

 private:
  template <typename T>
  static T require(Result<T> result) {
    if (!result) invariant_failed(__FILE__, __LINE__, result.error().message());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Fs> fs_;
  std::unique_ptr<ProcessRunner> processes_;
  std::unique_ptr<Clock> clock_;
  Path task_;
  Problem problem_;
  ProblemShapes shapes_;
  Path support_;
};

}  // namespace forge
