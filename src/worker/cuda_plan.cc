#include "worker/cuda_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "target/cpu/elf_image.h"
#include "target/cuda/plan_assemble.h"
#include "target/cuda/plan_codec.h"
#include "target/cuda/plan_validate.h"
#include "target/cuda/toolkit.h"
#include "worker/planner_process.h"

namespace forge {
namespace {

constexpr std::size_t kKeptOutput = 4096;
constexpr double kStartSeconds = 30;

template <typename T>
using OrOutcome = std::variant<T, CandidateOutcome>;

class Planner {
 public:
  Planner(const CudaPlanRequest& request, const WorkerContext& context)
      : request_(request), context_(context) {}

  Result<OrOutcome<PlannedKernel>> plan() {
    using Outcome = OrOutcome<PlannedKernel>;
    FORGE_TRY(auto refused, load());
    if (refused) return Outcome(std::move(*refused));
    FORGE_TRY(auto plans, record());
    if (auto* outcome = std::get_if<CandidateOutcome>(&plans)) return Outcome(std::move(*outcome));
    planned_.plan = std::get<Plan>(std::move(plans));
    FORGE_TRY_STATUS(ask_occupancy());
    if (const auto fault = validate_plan(planned_.plan, validation_context())) {
      return Outcome(CandidateOutcome(refusal(fault->shape, fault->group, fault->reason)));
    }
    planned_.encoded = encode_plan(planned_.plan);
    return Outcome(std::move(planned_));
  }

 private:
  static Refused refusal(const std::string& shape, const std::string& group,
                         const std::string& reason) {
    if (shape.empty()) return {"its launch plan is refused: " + reason};
    return {
        fmt::format("its launch plan for shape {}, group {} is refused: {}", shape, group, reason)};
  }

  // Reads what was compiled; the outcome if the host code can't be loaded safely.
  Result<std::optional<CandidateOutcome>> load() {
    FORGE_TRY(const std::string object, context_.fs->read(request_.artefact->shared_object));
    auto inspected = inspect_image(std::as_bytes(std::span(object)), ImageTrust::kCudaCandidate);
    if (const auto* refused = std::get_if<ImageRefused>(&inspected)) {
      return std::optional(CandidateOutcome(Refused{refused->reason}));
    }
    auto& image = std::get<LoadableImage>(inspected);
    initialisers_ = std::move(image.initialisers);
    FORGE_TRY(const std::string cubin, context_.fs->read(request_.artefact->cubin));
    FORGE_TRY(planned_.cubin, parse_cubin(std::as_bytes(std::span(cubin)),
                                          request_.artefact->cubin.filename().string()));
    FORGE_TRY(const std::string recorder, context_.fs->read(request_.recorder / kRecorderLibrary));
    FORGE_TRY(program_, PlannerProgram::make(recorder, image.bytes));
    for (const Instance* instance : request_.instances) {
      buffers_.push_back(plan_buffers(*request_.signature, *instance));
      shapes_.push_back(instance->shape);
    }
    return std::optional<CandidateOutcome>();
  }

  PlannerInput planner_input() const {
    PlannerInput input;
    input.signature = request_.signature;
    input.instances = request_.instances;
    input.cubin = &planned_.cubin;
    input.device = &request_.device;
    input.memory_limit_bytes = request_.limits.memory_bytes;
    input.initialisers = initialisers_;
    return input;
  }

  // Two processes side by side, with other addresses and another order of calls.
  Result<OrOutcome<Plan>> record() {
    Random random(request_.seed, "planner");
    FORGE_TRY(const PlannerSetup forward,
              planner_setup(planner_input(), CallOrder::kForward, random));
    FORGE_TRY(const PlannerSetup backward,
              planner_setup(planner_input(), CallOrder::kBackward, random));
    FORGE_TRY(PlannerProcess first, start(forward));
    FORGE_TRY(PlannerProcess second, start(backward));
    FORGE_TRY(auto plan, plan_of(first, forward));
    if (std::holds_alternative<CandidateOutcome>(plan)) return plan;
    FORGE_TRY(const auto again, plan_of(second, backward));
    if (std::holds_alternative<CandidateOutcome>(again)) return again;
    if (!(std::get<Plan>(plan) == std::get<Plan>(again))) {
      return OrOutcome<Plan>(
          CandidateOutcome(difference(std::get<Plan>(plan), std::get<Plan>(again))));
    }
    return plan;
  }

  static Refused difference(const Plan& one, const Plan& other) {
    for (std::size_t i = 0; i < one.variants.size(); ++i) {
      if (one.variants[i] == other.variants[i]) continue;
      return refusal(
          one.variants[i].shape, one.variants[i].group,
          "it differs between two processes: it must depend on the arguments alone, not "
          "on time, on earlier calls, on host addresses or on the process's surroundings");
    }
    return refusal("", "", "it differs between two processes");
  }

  Result<PlannerProcess> start(const PlannerSetup& setup) {
    return PlannerProcess::start(program_, setup.bytes, PlannerTask::kRecord, context_.cpus.arms);
  }

  Result<OrOutcome<Plan>> plan_of(PlannerProcess& process, const PlannerSetup& setup) {
    const double limit_seconds =
        kStartSeconds + request_.limits.call_seconds * static_cast<double>(setup.calls.size());
    const auto end =
        process.wait(std::chrono::milliseconds(static_cast<std::int64_t>(limit_seconds * 1000)));
    planned_.output = clip(printable(process.output()), kKeptOutput);
    const auto recording = process.recording(setup.calls.size(), 0);
    if (recording && !recording->refusal.empty()) {
      return OrOutcome<Plan>(CandidateOutcome(Refused{recording->refusal}));
    }
    const bool ended_well = end && std::holds_alternative<Exited>(*end) &&
                            std::get<Exited>(*end).code == 0 &&
                            process.status().done.load() == setup.calls.size();
    if (!ended_well) {
      FORGE_TRY(auto outcome, describe_planner_end(end, process.status(), limit_seconds,
                                                   {setup, buffers_, shapes_}));
      return OrOutcome<Plan>(std::move(outcome));
    }
    if (!recording) return OrOutcome<Plan>(CandidateOutcome(Refused{recording.error().cause}));
    return assemble(setup, *recording);
  }

  Result<OrOutcome<Plan>> assemble(const PlannerSetup& setup, const Recording& recording) {
    Plan plan;
    plan.arch = request_.device.arch;
    plan.cubin = request_.artefact->cubin_digest;
    plan.symbols = planned_.cubin.symbols;
    for (const CubinKernel& kernel : planned_.cubin.kernels) plan.kernels.push_back(kernel.name);
    for (const CallRecording& call : recording.calls) {
      if (call.result) continue;
      return OrOutcome<Plan>(CandidateOutcome(Refused{"its recording lacks a call"}));
    }
    for (std::size_t v = 0; v < request_.instances.size(); ++v) {
      const Instance& instance = *request_.instances[v];
      auto made = assemble_variant({setup, recording, planned_.cubin}, v, buffers_[v]);
      if (const auto* refused = std::get_if<PlanRefused>(&made)) {
        return OrOutcome<Plan>(
            CandidateOutcome(refusal(instance.shape, instance.group, refused->reason)));
      }
      if (const auto* failed = std::get_if<LaunchReturned>(&made)) {
        return OrOutcome<Plan>(CandidateOutcome(
            LaunchError{instance.shape, fmt::format("forge_launch returned {}", failed->result)}));
      }
      auto& variant = std::get<PlanVariant>(made);
      variant.shape = instance.shape;
      variant.group = instance.group;
      plan.variants.push_back(std::move(variant));
    }
    make_canonical(plan);
    if (const std::string why = why_not_canonical(plan); !why.empty()) {
      return OrOutcome<Plan>(CandidateOutcome(refusal("", "", why)));
    }
    return OrOutcome<Plan>(std::move(plan));
  }

  static OccupancyQuestion question_of(const CubinKernel& kernel, const PlanLaunch& launch) {
    const auto threads = std::min<unsigned __int128>(launch.block.count(), UINT32_MAX);
    return {kernel.name, static_cast<std::uint32_t>(threads), launch.dynamic_shared};
  }

  // Of every launch, in a process that loads no candidate.
  Status ask_occupancy() {
    for (const PlanVariant& variant : planned_.plan.variants) {
      for (const PlanStep& step : variant.steps) {
        const auto* launch = std::get_if<PlanLaunch>(&step);
        if (launch == nullptr) continue;
        const CubinKernel* kernel = planned_.cubin.find(planned_.plan.kernels[launch->kernel]);
        planned_.occupancy.try_emplace(question_of(*kernel, *launch), 0);
      }
    }
    std::vector<OccupancyQuestion> questions;
    for (const auto& [question, blocks] : planned_.occupancy) questions.push_back(question);
    if (questions.empty()) return {};
    FORGE_TRY(
        PlannerProcess process,
        PlannerProcess::start(program_, occupancy_setup(planned_.cubin, request_.device, questions),
                              PlannerTask::kOccupancy, context_.cpus.arms));
    const auto end =
        process.wait(std::chrono::milliseconds(static_cast<std::int64_t>(kStartSeconds * 1000)));
    FORGE_TRY(const Recording answers, process.recording(0, questions.size()));
    const bool ended_well =
        end && std::holds_alternative<Exited>(*end) && std::get<Exited>(*end).code == 0;
    if (!ended_well || !answers.refusal.empty()) {
      return Error{ErrorKind::kInfrastructure, "cannot compute", "the occupancy of a kernel",
                   answers.refusal.empty() ? "the planner's process failed" : answers.refusal,
                   "run forge doctor"};
    }
    for (std::size_t i = 0; i < questions.size(); ++i) {
      planned_.occupancy[questions[i]] = answers.occupancy[i];
    }
    return {};
  }

  PlanContext validation_context() const {
    return {planned_.cubin, request_.device,
            [this](const CubinKernel& kernel, const PlanLaunch& launch) {
              const auto found = planned_.occupancy.find(question_of(kernel, launch));
              return found == planned_.occupancy.end() ? std::optional<std::uint32_t>()
                                                       : found->second;
            }};
  }

  const CudaPlanRequest& request_;
  const WorkerContext& context_;
  PlannedKernel planned_;
  PlannerProgram program_;
  std::vector<std::uint64_t> initialisers_;
  std::vector<std::vector<PlanBuffer>> buffers_;
  std::vector<std::string> shapes_;
};

}  // namespace

Result<std::variant<PlannedKernel, CandidateOutcome>> plan_cuda_kernel(
    const CudaPlanRequest& request, const WorkerContext& context) {
  return Planner(request, context).plan();
}

}  // namespace forge
