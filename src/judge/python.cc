#include "judge/python.h"

#include <fmt/format.h>

#include <cstdlib>

namespace forge {
namespace {

enum class Torch { kThere, kMissing };

Torch look_for_torch(const std::string& python, ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {python, "-c",
               "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"};
  spec.limits.wall = std::chrono::seconds(20);
  const Result<ProcessResult> result = processes.run(spec);
  return result && result->succeeded() ? Torch::kThere : Torch::kMissing;
}

constexpr const char* kRemedy =
    "install python3-torch, or set FK_PYTHON to an interpreter that has torch";

}  // namespace

Result<std::string> find_torch_python(ProcessRunner& processes) {
  const char* chosen = std::getenv("FK_PYTHON");
  if (chosen != nullptr && *chosen != '\0') {
    if (look_for_torch(chosen, processes) == Torch::kThere) return std::string(chosen);
    return Error{ErrorKind::kEnvironment, "cannot run PyTorch code with",
                 fmt::format("FK_PYTHON={}", chosen), "it does not start or has no torch", kRemedy};
  }
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (look_for_torch(python, processes) == Torch::kThere) return std::string(python);
  }
  return Error{ErrorKind::kEnvironment, "cannot find a Python that has PyTorch in",
               "PATH and /usr/bin", "no python3 there imports torch", kRemedy};
}

}  // namespace forge
