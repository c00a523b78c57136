#include "worker/monitor.h"

#include <fmt/format.h>

#include "judge/oracle_protocol.h"
#include "worker/rounds.h"

namespace forge {
namespace {

// A case of the monitor: which shape, and its place among the pool's contents of that shape.
using Cases = std::vector<Call>;
// Of a case's outputs, gathered; empty: it did not come that far.
using OutputDigests = std::vector<std::string>;

struct ArmRun {
  StressFinding finding;
  OutputDigests outputs;
};

class Monitor {
 public:
  Monitor(Session& session, const std::vector<PreparedArm*>& arms, Random& random)
      : session_(session),
        arms_(arms),
        random_(random),
        seed_(Random(session.job().seeds.front(), "monitor").next()) {}

  MonitorFindings run() {
    for (const Stress stress : kStresses) {
      const Status done = stress == Stress::kNone ? try_fresh() : try_stress(stress);
      if (!done) note(stress, done.error().message());
    }
    if (const Status removed = session_.context().fs->remove_all(folder_); !removed) {
      findings_.notes.push_back(removed.error().message());
    }
    return std::move(findings_);
  }

 private:
  std::size_t shapes() const { return session_.shapes().names.size(); }

  void note(Stress stress, std::string_view why) {
    findings_.notes.push_back(fmt::format("inputs {} were not tried: {}", describe(stress), why));
  }

  // Every shape and group on a seed of its own, twice.
  Status try_fresh() {
    ContentPool pool(session_.shapes(), {seed_}, session_.oracle());
    Cases cases;
    for (std::size_t shape = 0; shape < shapes(); ++shape) {
      const auto groups = static_cast<int>(session_.shapes().instances[shape].size());
      FORGE_TRY_STATUS(pool.require(shape, groups));
      for (int group = 0; group < groups; ++group) {
        cases.push_back({static_cast<int>(shape), group});
      }
    }
    for (PreparedArm* arm : arms_) {
      ArmRun first = run_arm(*arm, Stress::kNone, pool, cases);
      const ArmRun second = run_arm(*arm, Stress::kNone, pool, cases);
      RepeatFinding repeat{arm->spec.label, 0, 0};
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (first.outputs[i].empty() || second.outputs[i].empty()) continue;
        ++repeat.cases;
        repeat.identical += first.outputs[i] == second.outputs[i] ? 1 : 0;
      }
      findings_.stresses.push_back(std::move(first.finding));
      findings_.repeats.push_back(std::move(repeat));
    }
    return {};
  }

  // One case of every shape, groups taking turns from kind to kind.
  Status try_stress(Stress stress) {
    ContentPool pool(session_.shapes(), {seed_}, session_.oracle());
    Cases cases;
    std::string refusal;
    for (std::size_t shape = 0; shape < shapes(); ++shape) {
      const std::size_t groups = session_.shapes().instances[shape].size();
      const auto group = static_cast<int>((static_cast<std::size_t>(stress) + shape) % groups);
      FORGE_TRY(auto content, stressed_content(stress, shape, group, refusal));
      if (!content) continue;
      cases.push_back({static_cast<int>(shape), pool.adopt(shape, std::move(*content))});
    }
    if (cases.empty() && !refusal.empty()) note(stress, refusal);
    if (cases.empty()) return {};
    for (PreparedArm* arm : arms_) {
      findings_.stresses.push_back(run_arm(*arm, stress, pool, cases).finding);
    }
    return {};
  }

  // Nothing where the inputs have nothing that the stress could change, or where the oracle has no
  // answer to them: `refusal` says why.
  Result<std::optional<Content>> stressed_content(Stress stress, std::size_t shape, int group,
                                                  std::string& refusal) {
    const Instance& instance = session_.shapes().instances[shape][static_cast<std::size_t>(group)];
    const Content& base = session_.contents().content(shape, group);
    std::vector<StressedTensor> tensors;
    for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
      const auto bytes = base.initial[t].bytes();
      if (bytes.empty()) continue;
      tensors.push_back({&instance.tensors[t], {bytes.begin(), bytes.end()}});
    }
    if (!apply_stress(stress, tensors, random_)) return std::optional<Content>();
    const Path folder = folder_ / fmt::format("{}-{}", stress_name(stress), shape);
    FORGE_TRY_STATUS(lay_out(tensors, folder));
    const Status told = session_.oracle().make_expected(instance, base.seed, folder);
    if (!told) {
      if (told.error().kind == ErrorKind::kEnvironment) return told.error();
      refusal = told.error().cause;
      return std::optional<Content>();
    }
    Content content;
    content.group = group;
    content.seed = base.seed;
    FORGE_TRY_STATUS(map_files(instance, {base.files.id, folder}, content));
    return std::optional<Content>(std::move(content));
  }

  Status lay_out(const std::vector<StressedTensor>& tensors, const Path& folder) {
    Fs& fs = *session_.context().fs;
    FORGE_TRY_STATUS(fs.remove_all(folder));
    FORGE_TRY_STATUS(fs.make_directories(folder));
    for (const StressedTensor& each : tensors) {
      const std::string_view bytes(reinterpret_cast<const char*>(each.bytes.data()),
                                   each.bytes.size());
      FORGE_TRY_STATUS(fs.write_atomic(input_file(folder, each.tensor->param->name), bytes,
                                       Durability::kScratch));
    }
    return {};
  }

  // All cases in one process, or in as many as it takes if some end theirs.
  ArmRun run_arm(PreparedArm& prepared, Stress stress, const ContentPool& pool,
                 const Cases& cases) {
    ArmRun run{{prepared.spec.label, stress, 0, 0, ""}, OutputDigests(cases.size())};
    const auto checker = session_.make_checker(session_.job().tolerance, pool);
    const auto arm = session_.make_arm(prepared, *checker, pool);
    std::optional<ArmFault> worst;
    bool is_set_up = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::optional<ArmFault> fault = is_set_up ? std::nullopt : arm->set_up(random_);
      is_set_up = true;
      checker->on_outputs([&](const std::string& digest) { run.outputs[i] = digest; });
      if (!fault) fault = run_case(*arm, cases[i], run.finding);
      if (!fault) continue;
      if (!worst || worst->kind == FaultKind::kWrong) worst = fault;
      if (fault->kind == FaultKind::kWrong) continue;
      arm->tear_down();
      is_set_up = false;
      // Every further call might last as long.
      if (fault->kind == FaultKind::kTimeout || fault->kind == FaultKind::kInfrastructure) break;
    }
    arm->tear_down();
    if (worst) run.finding.detail = explain(outcome_of(*worst, *checker, session_.shapes()));
    return run;
  }

  std::optional<ArmFault> run_case(Arm& arm, const Call& call, StressFinding& finding) {
    ++finding.cases;
    if (auto fault = arm.prepare({call}, CacheState::kCold, random_)) return fault;
    const MeasureOutcome outcome = arm.measure();
    if (const auto* fault = std::get_if<ArmFault>(&outcome)) return *fault;
    if (auto fault = arm.verify()) return fault;
    ++finding.agreeing;
    return std::nullopt;
  }

  Session& session_;
  const std::vector<PreparedArm*>& arms_;
  Random& random_;
  const std::uint64_t seed_;
  const Path folder_ = session_.scratch() / "stressed";
  MonitorFindings findings_;
};

}  // namespace

MonitorFindings monitor_arms(Session& session, const std::vector<PreparedArm*>& arms,
                             Random& random) {
  return Monitor(session, arms, random).run();
}

}  // namespace forge
