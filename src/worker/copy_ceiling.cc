#include "worker/copy_ceiling.h"

#include <algorithm>
#include <limits>

#include "worker/kernel_build.h"

namespace forge {
namespace {

constexpr int kPairs = 2;
constexpr int kWarmups = 1;
constexpr double kAssumedBytesPerNs = 8;

constexpr const char* kCachedCopy = R"(#include "forge_args.h"
#include <cstring>
extern "C" int forge_launch(const Args* a, void*) {
  const std::size_t n = static_cast<std::size_t>(a->dims.n);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t part = 0; part < 64; ++part) {
      const std::size_t begin = n * part / 64, end = n * (part + 1) / 64;
      std::memcpy(a->y + begin, a->x + begin, end - begin);
    }
  }
  return 0;
}
)";

constexpr const char* kStreamingCopy = R"(#include "forge_args.h"
#include <cstring>
#include <immintrin.h>
extern "C" int forge_launch(const Args* a, void*) {
  const std::size_t n = static_cast<std::size_t>(a->dims.n);
  const std::size_t lines = n / 64;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < lines; ++i) {
    const auto* from = reinterpret_cast<const __m128i*>(a->x + i * 64);
    auto* to = reinterpret_cast<__m128i*>(a->y + i * 64);
    for (int k = 0; k < 4; ++k) _mm_stream_si128(to + k, _mm_loadu_si128(from + k));
  }
  _mm_sfence();
  std::memcpy(a->y + lines * 64, a->x + lines * 64, n - lines * 64);
  return 0;
}
)";

// x: u8[n] -> y: u8[n]
Result<Problem> copy_problem(const Problem& original, const ProblemShapes& shapes) {
  Problem problem;
  problem.name = "copy";
  problem.signature.dims = {"n"};
  FORGE_TRY(const Expr n, Expr::parse("n"));
  for (const auto& [name, direction] :
       {std::pair{"x", Direction::kInput}, std::pair{"y", Direction::kOutput}}) {
    TensorParam tensor;
    tensor.name = name;
    tensor.dtype = Dtype::kU8;
    tensor.direction = direction;
    tensor.shape = {n};
    problem.signature.tensors.push_back(std::move(tensor));
  }
  for (std::size_t shape = 0; shape < original.shapes.size(); ++shape) {
    ShapeSpec spec;
    spec.name = shapes.names[shape];
    spec.dims["n"] = std::max<std::int64_t>(*shapes.instances[shape].front().work_bytes / 2, 1);
    spec.groups = {{"bytes", "random bytes", {}, {}}};
    problem.shapes.push_back(std::move(spec));
  }
  return problem;
}

// Random bytes, and the same bytes expected: an oracle that needs no process.
class CopyOracle : public Oracle {
 public:
  CopyOracle(Fs& fs, Path cache) : fs_(&fs), cache_(std::move(cache)) {}

  Result<CaseFiles> make_case(const Instance& instance, std::uint64_t seed) override {
    const auto bytes = static_cast<std::size_t>(instance.dims.find("n")->second);
    CaseFiles files{{instance.shape, instance.group, seed},
                    cache_ / "copies" / (std::to_string(bytes) + "-" + std::to_string(seed))};
    if (fs_->exists(files.folder / "y.out")) return files;
    Random random(seed, "copy");
    std::string content(bytes, '\0');
    for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
      const std::uint64_t word = random.next();
      std::copy_n(reinterpret_cast<const char*>(&word), 8, content.data() + i);
    }
    FORGE_TRY_STATUS(fs_->make_directories(files.folder));
    FORGE_TRY_STATUS(fs_->write_atomic(files.folder / "x.in", content, Durability::kScratch));
    FORGE_TRY_STATUS(fs_->write_atomic(files.folder / "y.out", content, Durability::kScratch));
    return files;
  }
  Status make_expected(const Instance&, std::uint64_t, const Path& folder) override {
    return fs_->copy_tree(folder / "x.in", folder / "y.out");
  }
  Result<CustomComparison> compare(const CaseFiles&, const Instance&, const std::string&,
                                   const Path&) override {
    return CustomComparison{};
  }
  std::string describe() const override { return "byte for byte"; }
  const std::vector<std::string>& custom_outputs() const override { return none_; }

 private:
  Fs* fs_;
  Path cache_;
  std::vector<std::string> none_;
};

}  // namespace

struct CopyCeilings::Parts {
  Problem problem;
  ProblemShapes shapes;
  std::unique_ptr<CopyOracle> oracle;
  std::unique_ptr<ContentPool> contents;
  std::unique_ptr<ArenaPool> arenas;
  std::unique_ptr<OutputChecker> checker;
  std::vector<BuiltKernel> kernels;
  std::vector<std::unique_ptr<ProcessArm>> processes;
  std::vector<Arm*> arms;
  TrialPlan plan;
  std::unique_ptr<Samples> samples;
};

CopyCeilings::CopyCeilings(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CopyCeilings::~CopyCeilings() = default;

namespace {

Result<BuiltKernel> build_copy(Session& session, const Problem& problem, const std::string& label,
                               const char* source) {
  Fs& fs = *session.context().fs;
  KernelBuild build;
  build.label = label;
  build.scratch = session.scratch() / label;
  build.source = build.scratch / "copy.cpp";
  build.support = session.support();
  build.cache = session.job().cache;
  build.problem = &problem;
  build.limits = session.job().limits;
  FORGE_TRY_STATUS(fs.make_directories(build.scratch));
  FORGE_TRY_STATUS(fs.write_atomic(build.source, source, Durability::kScratch));
  FORGE_TRY(auto outcome, build_kernel(build, session.context()));
  if (const auto* refused = std::get_if<CandidateOutcome>(&outcome)) {
    return Error{ErrorKind::kInfrastructure, "cannot build", label, explain(*refused), ""};
  }
  return std::move(std::get<BuiltKernel>(outcome));
}

}  // namespace

Result<std::unique_ptr<CopyCeilings>> CopyCeilings::prepare(Session& session) {
  // These are copies by the CPU; nothing is measured of a GPU's memory.
  if (session.on_gpu()) return std::unique_ptr<CopyCeilings>();
  for (std::size_t i = 0; i < session.shapes().public_count; ++i) {
    if (!session.shapes().instances[i].front().work_bytes) return std::unique_ptr<CopyCeilings>();
  }
  auto parts = std::make_unique<Parts>();
  FORGE_TRY(parts->problem, copy_problem(session.problem(), session.shapes()));
  FORGE_TRY(parts->shapes, all_shapes(parts->problem));
  parts->oracle = std::make_unique<CopyOracle>(*session.context().fs, session.job().cache);
  // One seed for all runs: the bytes of a copy are nobody's secret, and the cache serves them.
  parts->contents =
      std::make_unique<ContentPool>(parts->shapes, std::vector<std::uint64_t>{1}, *parts->oracle);
  const std::vector<int> slots = slots_for(parts->shapes.instances, 16);
  Random sizes(0);
  const ArenaPlan arena = plan_arena(parts->shapes.instances, slots, sizes);
  parts->arenas = std::make_unique<ArenaPool>(arena.inputs_bytes, arena.outputs_bytes);
  FORGE_TRY_STATUS(parts->arenas->reserve(2));
  parts->checker =
      std::make_unique<OutputChecker>(*parts->contents, *parts->oracle, *session.context().fs,
                                      session.scratch(), [](const CaseKind&) { return 0.0; });
  for (const auto& [label, source] :
       {std::pair{"copy-cached", kCachedCopy}, std::pair{"copy-streaming", kStreamingCopy}}) {
    FORGE_TRY(BuiltKernel kernel, build_copy(session, parts->problem, label, source));
    parts->kernels.push_back(std::move(kernel));
    ProcessArmConfig config;
    config.label = label;
    config.signature = &parts->problem.signature;
    config.contents = parts->contents.get();
    config.slots_per_shape = slots;
    config.arenas = parts->arenas.get();
    config.checker = parts->checker.get();
    config.clock = session.context().clock;
    config.call_seconds = session.job().limits.call_seconds;
    parts->processes.push_back(
        std::make_unique<ProcessArm>(std::move(config), *parts->kernels.back().launcher));
    parts->arms.push_back(parts->processes.back().get());
  }
  for (std::size_t i = 0; i < parts->shapes.names.size(); ++i) {
    const auto bytes = static_cast<double>(*session.shapes().instances[i].front().work_bytes);
    const int calls =
        calls_for(bytes / kAssumedBytesPerNs,
                  static_cast<double>(session.job().timing.min_interval_ns), slots[i]);
    FORGE_TRY_STATUS(parts->contents->require(i, (kPairs + kWarmups) * calls));
    parts->plan.contents.push_back(parts->contents->describe(i));
    parts->plan.schedules.push_back({kPairs, calls, kWarmups});
  }
  parts->samples = std::make_unique<Samples>(parts->shapes.names.size(), parts->arms.size());
  return std::unique_ptr<CopyCeilings>(new CopyCeilings(std::move(parts)));
}

Status CopyCeilings::run_trial(Random& random) {
  const TrialOutcome outcome = forge::run_trial(parts_->arms, parts_->plan, random);
  if (const auto* failed = std::get_if<FaultOf>(&outcome)) {
    return arm_failed(parts_->arms[static_cast<std::size_t>(failed->arm)]->label(), failed->fault,
                      *parts_->checker, parts_->shapes);
  }
  parts_->samples->add(std::get<TrialTimes>(outcome));
  return {};
}

std::vector<CopyCeiling> CopyCeilings::results() const {
  std::vector<CopyCeiling> ceilings;
  for (std::size_t shape = 0; shape < parts_->shapes.names.size(); ++shape) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t arm = 0; arm < parts_->arms.size(); ++arm) {
      best = std::min(best, parts_->samples->median_ns(shape, arm));
    }
    const auto bytes =
        static_cast<double>(2 * parts_->shapes.instances[shape].front().dims.find("n")->second);
    ceilings.push_back({parts_->shapes.names[shape], bytes, best});
  }
  return ceilings;
}

}  // namespace forge
