#include "worker/session.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "judge/freeze.h"
#include "judge/python.h"
#include "problem/load.h"
#include "sys/pinned_process.h"
#include "sys/support_files.h"
#include "target/cpu/compile.h"
#include "worker/machine.h"

namespace forge {
namespace {

// Inside a job's scratch: where the oracle finds outputs that it compares itself.
constexpr std::string_view kCompareFolder = "compare";
constexpr std::uint64_t kRoomForSlots = 48ull << 20;
// Of one input group of one shape.
constexpr std::uint64_t kRoomToCalibrate = 32ull << 20;
constexpr std::uint64_t kMostSeedsToCalibrate = 32;

std::uint64_t bytes_of(const Instance& instance) {
  std::uint64_t bytes = 0;
  for (const ConcreteTensor& tensor : instance.tensors) bytes += tensor.layout.span_bytes();
  return bytes;
}

// References are told apart by their files; of one candidate there is but one.
std::string named_description(const ArmSpec& spec, const std::string& description) {
  if (spec.role != ArmRole::kReference) return description;
  return Path(spec.source).filename().string() + ": " + description;
}

}  // namespace

std::vector<int> slots_for(const std::vector<ShapeInstances>& shapes, int max_calls) {
  std::vector<int> slots;
  for (const ShapeInstances& groups : shapes) {
    const std::uint64_t bytes = std::max<std::uint64_t>(bytes_of(groups.front()), 1);
    const auto fit = static_cast<int>(std::min<std::uint64_t>(kRoomForSlots / bytes, 1024));
    slots.push_back(std::clamp(fit, 2, std::max(2, max_calls)));
  }
  return slots;
}

Result<std::unique_ptr<Session>> Session::open(const Path& bundle, JobSpec job,
                                               const WorkerContext& context) {
  std::unique_ptr<Session> session(new Session(std::move(job), context));
  FORGE_TRY_STATUS(session->load(bundle));
  FORGE_TRY_STATUS(session->open_oracle());
  return session;
}

Status Session::load(const Path& bundle) {
  Fs& fs = *context_.fs;
  bundle_ = bundle;
  const Path folder = bundle / "problem";
  FORGE_TRY(const Digest digest, judge_digest(fs, folder));
  if (digest.hex != job_.check_digest) {
    return Error{ErrorKind::kCorrupt, "cannot run job", job_.id,
                 "the judge in its bundle is not the one that was frozen",
                 "restore the run's problem/ folder or start a new run"};
  }
  // A confirmation on hidden shapes needs their tolerance, so alignment always covers them.
  const bool with_hidden = job_.hidden_shapes || job_.kind == JobKind::kAlign;
  FORGE_TRY(problem_,
            load_problem(fs, folder, with_hidden ? HiddenShapes::kLoad : HiddenShapes::kIgnore));
  FORGE_TRY(shapes_, all_shapes(problem_));
  FORGE_TRY(support_, materialise_support_files(fs, job_.cache));
  scratch_ = bundle / "work";
  FORGE_TRY_STATUS(fs.make_directories(scratch_ / kCompareFolder));
  slots_ = slots_for(shapes_.instances, job_.timing.max_calls_per_interval);
  Random sizes(0);
  const ArenaPlan plan = plan_arena(shapes_.instances, slots_, sizes);
  arenas_ = std::make_unique<ArenaPool>(plan.inputs_bytes, plan.outputs_bytes);
  result_.id = job_.id;
  result_.machine = machine_facts(fs, context_.cpus);
  return problem_.target == Target::kCuda ? open_gpu_device() : Status();
}

Status Session::open_oracle() {
  if (problem_.judge.oracle.empty()) {
    return Error{ErrorKind::kInvalidInput, "cannot judge", problem_.name,
                 "the problem has no oracle", "give one under [judge] in task.toml"};
  }
  OracleLaunch launch;
  launch.oracle = problem_folder() / problem_.judge.oracle;
  launch.digest = Digest{job_.check_digest};
  launch.support = support_;
  launch.cache = job_.cache;
  if (launch.oracle.extension() == ".py") {
    FORGE_TRY(launch.python, find_torch_python(*context_.processes));
  } else {
    FORGE_TRY(launch.compiler, find_cpp_compiler(*context_.fs, *context_.processes));
  }
  FORGE_TRY(oracle_, start_oracle(launch, *context_.fs, *context_.processes));
  contents_ = std::make_unique<ContentPool>(shapes_, job_.seeds, *oracle_, context_.defences);
  result_.oracle = oracle_->describe();
  return {};
}

Result<PreparedOrOutcome> Session::prepare_arm(const ArmSpec& spec) {
  const std::int64_t begin = context_.clock->monotonic_ns();
  const auto account = [&] {
    result_.compile_seconds += static_cast<double>(context_.clock->monotonic_ns() - begin) * 1e-9;
  };
  if (spec.language == ArmLanguage::kPython) {
    auto arm = on_gpu() ? prepare_torch_on_gpu(spec) : prepare_python(spec);
    account();
    if (!arm) return arm.error();
    add_facts(*arm);
    return PreparedOrOutcome(std::move(*arm));
  }
  auto arm = on_gpu() ? prepare_cuda(spec) : prepare_kernel(spec);
  account();
  if (!arm) return arm.error();
  if (const auto* prepared = std::get_if<PreparedArm>(&*arm)) add_facts(*prepared);
  return arm;
}

void Session::add_facts(const PreparedArm& arm) {
  ArmFacts facts = arm.facts;
  facts.description = named_description(arm.spec, facts.description);
  result_.arms.push_back(std::move(facts));
}

Result<PreparedArm> Session::prepare_python(const ArmSpec& spec) {
  PythonLaunch launch;
  FORGE_TRY(launch.python, find_torch_python(*context_.processes));
  launch.script = support_ / "python" / "forge_reference.py";
  launch.source = bundle_ / spec.source;
  launch.signature = &problem_.signature;
  launch.cpus = context_.cpus.arms;
  PreparedArm arm;
  arm.spec = spec;
  FORGE_TRY(arm.launcher, make_python_launcher(launch));
  FORGE_TRY(const std::string source, context_.fs->read(launch.source));
  arm.facts = {spec.label, arm.launcher->description(), {}, digest_of(source).hex};
  return arm;
}

KernelBuild Session::kernel_build(const ArmSpec& spec) const {
  KernelBuild build;
  build.label = spec.label;
  build.source = bundle_ / spec.source;
  build.scratch = scratch_;
  build.support = support_;
  build.problem_folder = problem_folder();
  build.cache = job_.cache;
  build.problem = &problem_;
  build.tunables = spec.tunables;
  build.libraries = spec.libraries;
  // A reference without libraries runs confined, along the candidate's own path.
  build.trusted = spec.role != ArmRole::kCandidate && !spec.libraries.empty();
  build.limits = job_.limits;
  return build;
}

Result<PreparedOrOutcome> Session::prepare_kernel(const ArmSpec& spec) {
  const bool candidate = spec.role == ArmRole::kCandidate;
  const KernelBuild build = kernel_build(spec);
  const auto ahead = compiled_ahead_.find(spec.label);
  FORGE_TRY(auto outcome, ahead == compiled_ahead_.end()
                              ? build_kernel(build, context_)
                              : load_kernel(build, ahead->second, context_));
  if (const auto* refused = std::get_if<CandidateOutcome>(&outcome)) {
    if (candidate) return PreparedOrOutcome(*refused);
    return Error{ErrorKind::kInvalidInput, "cannot build", spec.label + " (" + spec.source + ")",
                 explain(*refused), ""};
  }
  auto& built = std::get<BuiltKernel>(outcome);
  result_.machine.compiler = built.facts.description.substr(0, built.facts.description.find(','));
  return PreparedOrOutcome(
      PreparedArm{spec, std::move(built.launcher), nullptr, std::move(built.facts)});
}

Status Session::build_ahead(const std::vector<ArmSpec>& specs) {
  if (specs.empty() || on_gpu()) return {};
  FORGE_TRY_STATUS(write_kernel_header(kernel_build(specs.front()), context_));
  const std::int64_t begin = context_.clock->monotonic_ns();
  std::vector<int> cpus = context_.cpus.measurer;
  cpus.insert(cpus.end(), context_.cpus.arms.begin(), context_.cpus.arms.end());
  std::atomic<std::size_t> next = 0;
  std::vector<std::optional<CompiledKernel>> compiled(specs.size());
  const auto work = [&] {
    static_cast<void>(pin_this_thread(cpus));
    for (std::size_t i = next++; i < specs.size(); i = next++) {
      if (auto done = compile_kernel(kernel_build(specs[i]), context_)) compiled[i] = *done;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(cpus.size(), specs.size()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (compiled[i]) compiled_ahead_.insert_or_assign(specs[i].label, std::move(*compiled[i]));
  }
  result_.compile_seconds += static_cast<double>(context_.clock->monotonic_ns() - begin) * 1e-9;
  return {};
}

Status Session::require_contents(std::size_t shape, int count) {
  const std::int64_t begin = context_.clock->monotonic_ns();
  const Status made = contents_->require(shape, count);
  result_.oracle_seconds += static_cast<double>(context_.clock->monotonic_ns() - begin) * 1e-9;
  return made;
}

int Session::contents_needed(std::size_t shape, const ShapeSchedule& schedule) const {
  const int groups = static_cast<int>(shapes_.instances[shape].size());
  const int wanted = std::max((schedule.pairs + schedule.warmups) * schedule.calls, 2 * groups);
  return (wanted + groups - 1) / groups * groups;
}

int Session::contents_to_calibrate(std::size_t shape) const {
  const ShapeInstances& groups = shapes_.instances[shape];
  const std::uint64_t bytes = std::max<std::uint64_t>(bytes_of(groups.front()), 1);
  const auto seeds = std::clamp<std::uint64_t>(kRoomToCalibrate / bytes, 2, kMostSeedsToCalibrate);
  return static_cast<int>(groups.size() * seeds);
}

int Session::max_calls(std::size_t shape) const { return slots_[shape]; }

std::unique_ptr<OutputChecker> Session::make_checker(double allowed_everywhere) {
  return std::make_unique<OutputChecker>(
      *contents_, *oracle_, *context_.fs, scratch_ / kCompareFolder,
      [allowed_everywhere](const CaseKind&) { return allowed_everywhere; });
}

std::unique_ptr<OutputChecker> Session::make_checker(const ToleranceTable& tolerance) {
  return make_checker(tolerance, *contents_);
}

std::unique_ptr<OutputChecker> Session::make_checker(const ToleranceTable& tolerance,
                                                     const ContentPool& contents) {
  return std::make_unique<OutputChecker>(
      contents, *oracle_, *context_.fs, scratch_ / kCompareFolder,
      [&tolerance](const CaseKind& kind) { return tolerance.of(kind); });
}

std::unique_ptr<OutputChecker> Session::make_reference_checker() {
  return std::make_unique<OutputChecker>(
      *contents_, *oracle_, *context_.fs, scratch_ / kCompareFolder, [this](const CaseKind& kind) {
        const TensorParam* tensor = problem_.signature.find_tensor(kind.output);
        FORGE_CHECK(tensor != nullptr);
        return alignment_limit(tensor->dtype);
      });
}

std::unique_ptr<JobArm> Session::make_arm(PreparedArm& arm, OutputChecker& checker) {
  return make_arm(arm, checker, *contents_);
}

std::unique_ptr<JobArm> Session::make_arm(PreparedArm& arm, OutputChecker& checker,
                                          const ContentPool& contents) {
  if (arm.device != nullptr) return make_device_arm(arm, checker, contents);
  ProcessArmConfig config;
  config.label = arm.spec.label;
  config.signature = &problem_.signature;
  config.contents = &contents;
  config.slots_per_shape = slots_;
  config.arenas = arenas_.get();
  config.checker = &checker;
  config.clock = context_.clock;
  config.call_seconds = job_.limits.call_seconds;
  config.role = arm.spec.role;
  config.defences = context_.defences;
  config.processors = static_cast<int>(context_.cpus.arms.size());
  return std::make_unique<ProcessArm>(std::move(config), *arm.launcher);
}

}  // namespace forge
