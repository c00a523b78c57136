// How an arm's process comes to be: the runner with a kernel in it, or a fork of a Python process
// that has imported PyTorch. May know: sys, target, setup_image.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "sys/pinned_process.h"
#include "sys/shared_memory.h"
#include "worker/arm_memory.h"
#include "worker/handover.h"
#include "worker/setup_image.h"

namespace forge {

class Launcher {
 public:
  virtual ~Launcher() = default;
  // A fresh process that maps this memory and then serves calls.
  virtual Result<PinnedProcess> launch(const HandoverPages& pages, const Arenas& arenas,
                                       const SetupRequest& request) = 0;
  // What stands behind the arm, with versions, for reports.
  virtual const std::string& description() const = 0;
};

struct KernelLaunch {
  std::vector<std::byte> image;  // shared object, initialisers disarmed for candidates
  std::vector<std::uint64_t> initialisers;
  runner::Confinement confinement = runner::Confinement::kCandidate;
  std::uint64_t memory_limit_bytes = 0;
  std::vector<int> cpus;
  std::string description;
};
Result<std::unique_ptr<Launcher>> make_kernel_launcher(KernelLaunch launch);

struct PythonLaunch {
  std::string python;
  Path script;  // forge_reference.py
  Path source;  // the user's file
  const Signature* signature = nullptr;
  std::vector<int> cpus;
};
// Returns when PyTorch is imported.
Result<std::unique_ptr<Launcher>> make_python_launcher(const PythonLaunch& launch);

}  // namespace forge
