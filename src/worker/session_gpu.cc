// What a session does for problems whose kernels run on a GPU.
#include <fmt/format.h>

#include "judge/python.h"
#include "problem/cuda_arch.h"
#include "worker/cuda_kernel.h"
#include "worker/device_arm.h"
#include "worker/session.h"

namespace forge {

Status Session::open_gpu_device() {
  FORGE_TRY(const int ordinal, chosen_gpu());
  FORGE_TRY(gpu_, ReplayerPool::open(ordinal, context_.cpus.arms));
  const GpuFacts& facts = gpu_->device();
  device_ = facts.profile;
  device_.arch = arch_for(problem_.build.arch, facts.profile);
  if (cuda_arch_number(device_.arch) != device_.sm()) {
    return Error{
        ErrorKind::kInvalidInput, "cannot run", problem_.name + " on " + device_.name,
        fmt::format("it is compiled for {}, the device is sm_{}", device_.arch, device_.sm()),
        "change 'arch' in [build], or set FK_GPU to another device"};
  }
  result_.machine.device = fmt::format("{}, driver for {}", device_.name, facts.driver);
  return {};
}

Result<PreparedOrOutcome> Session::prepare_cuda(const ArmSpec& spec) {
  const bool candidate = spec.role == ArmRole::kCandidate;
  if (!spec.libraries.empty() || Path(spec.source).extension() != ".cu") {
    return Error{
        ErrorKind::kInvalidInput, "cannot run", spec.label + " (" + spec.source + ")",
        "a reference on a GPU is a .cu file in the kernel interface, without libraries, or "
        "a Python file",
        "call the library from a Python file"};
  }
  std::vector<const Instance*> instances;
  for (const ShapeInstances& groups : shapes_.instances) {
    for (const Instance& instance : groups) instances.push_back(&instance);
  }
  FORGE_TRY(auto prepared, prepare_cuda_kernel(kernel_build(spec), device_, instances,
                                               job_.seeds.front(), context_));
  if (const auto* refused = std::get_if<CandidateOutcome>(&prepared)) {
    if (candidate) return PreparedOrOutcome(*refused);
    return Error{ErrorKind::kInvalidInput, "cannot build", spec.label + " (" + spec.source + ")",
                 explain(*refused), ""};
  }
  const auto& kernel = std::get<CudaKernel>(prepared);
  FORGE_TRY(const std::string cubin, context_.fs->read(kernel.artefact.cubin));
  PreparedArm arm;
  arm.spec = spec;
  FORGE_TRY(arm.device,
            make_replay_launcher(*gpu_, kernel.planned.encoded, cubin, kernel.artefact.compiler));
  arm.facts = {spec.label, kernel.artefact.compiler, kernel.artefact.command,
               kernel.artefact.object_digest.hex};
  result_.machine.compiler = kernel.artefact.compiler;
  result_.output += kernel.planned.output;
  return PreparedOrOutcome(std::move(arm));
}

Result<PreparedArm> Session::prepare_torch_on_gpu(const ArmSpec& spec) {
  TorchDeviceLaunch launch;
  FORGE_TRY(launch.python, find_torch_python(*context_.processes));
  launch.support = support_;
  launch.source = bundle_ / spec.source;
  launch.signature = &problem_.signature;
  launch.cpus = context_.cpus.arms;
  launch.ordinal = gpu_->ordinal();
  PreparedArm arm;
  arm.spec = spec;
  FORGE_TRY(arm.device, make_torch_device_launcher(launch));
  FORGE_TRY(const std::string source, context_.fs->read(launch.source));
  arm.facts = {spec.label, arm.device->description(), {}, digest_of(source).hex};
  return arm;
}

std::unique_ptr<JobArm> Session::make_device_arm(PreparedArm& arm, OutputChecker& checker,
                                                 const ContentPool& contents) {
  DeviceArmConfig config;
  config.label = arm.spec.label;
  config.contents = &contents;
  config.slots_per_shape = slots_;
  config.checker = &checker;
  config.call_seconds = job_.limits.call_seconds;
  for (const ShapeInstances& groups : shapes_.instances) {
    config.floor_ns.push_back(floor_ns(groups.front(), gpu_->device()));
  }
  config.on_mode = [this, label = arm.spec.label](const std::string& mode) {
    for (ArmFacts& facts : result_.arms) {
      const bool told = facts.description.find(mode) != std::string::npos;
      if (facts.label == label && !told) facts.description += ", " + mode;
    }
  };
  return std::make_unique<DeviceArm>(std::move(config), *arm.device);
}

}  // namespace forge
