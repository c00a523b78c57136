#include "fakes/fake_delivery.h"

#include <cmath>

#include "base/digest.h"
#include "target/tunables.h"

namespace forge {
namespace {

Result<JobSpec> read_job(Fs& fs, const Path& bundle) {
  const auto file = bundle / "job.json";
  FORGE_TRY(const auto text, fs.read(file));
  FORGE_TRY(const Json json, parse_json(text, file.string()));
  return job_from_json(json, file.string());
}

Settings settings_in(const std::string& kernel) {
  Settings settings;
  const auto tunables = scan_tunables(kernel, "kernel.cpp");
  FORGE_CHECK(tunables.has_value());
  for (const auto& tunable : *tunables) settings[tunable.name] = tunable.default_value;
  return settings;
}

}  // namespace

Status FakeDelivery::submit(const JobTicket& ticket) {
  ticks_[ticket.id] = 0;
  return {};
}

Result<bool> FakeDelivery::wait(const JobTicket& ticket, std::chrono::milliseconds) {
  return ticks_[ticket.id]++ >= ticks_per_job;
}

Result<JobResult> FakeDelivery::collect(const JobTicket& ticket) {
  FORGE_TRY(const JobSpec job, read_job(fs_, ticket.bundle));
  jobs.push_back(job);
  if (before_job) {
    if (auto error = before_job(job)) return std::move(*error);
  }
  FORGE_TRY(auto result, compute(job, ticket.bundle));
  FORGE_TRY_STATUS(fs_.make_directories(ticket.result));
  FORGE_TRY_STATUS(fs_.write_atomic(ticket.result / "result.json", to_json(result).dump_pretty()));
  return result;
}

Result<JobResult> FakeDelivery::compute(const JobSpec& job, const Path& bundle) {
  JobResult result;
  result.id = job.id;
  result.oracle = "fake oracle";
  std::map<std::string, double> times;
  Settings candidate;
  std::map<std::string, Settings> made;
  for (const auto& arm : job.arms) {
    FORGE_TRY(const auto source, fs_.read(bundle / arm.source));
    const bool is_kernel = arm.language == ArmLanguage::kKernel;
    auto settings = is_kernel ? settings_in(source) : Settings();
    for (const auto& [name, value] : arm.tunables) settings[name] = value;
    made[arm.label] = settings;
    const auto other = other_references_ns.find(arm.label);
    const double as_reference = other == other_references_ns.end() ? reference_ns : other->second;
    times[arm.label] = is_kernel ? time(settings) : as_reference;
    if (arm.role == ArmRole::kCandidate) candidate = settings;
    // The settings, not the source: comments do not change what is built.
    Hasher hasher;
    for (const auto& [name, value] : settings) hasher.add(name).add(value);
    result.arms.push_back({arm.label, "fake arm", {"fake-c++", "kernel.cpp"}, hasher.finish().hex});
    result.times.push_back({arm.label, "large", times[arm.label], "cold"});
  }
  if (job.kind == JobKind::kAlign) {
    AlignResult body;
    body.tolerance.allowed[{"y", "large", "typical"}] = 0.01;
    body.admission = admission;
    result.body = body;
  } else if (job.kind == JobKind::kSweep) {
    result.body = sweep_body(job, times, made);
  } else if (job.kind == JobKind::kBaseline) {
    result.body = BaselineResult{"reference", {1.0, 1.0}, 0.015, 0.002, false};
  } else {
    result.body = judge_body(job, times, candidate);
  }
  return result;
}

Contrast FakeDelivery::contrast(const std::string& opponent, double ratio) {
  constexpr int kTrials = 12;
  Contrast result;
  result.opponent = opponent;
  result.trials = kTrials;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double error = trial_sd > 0 ? trial_sd * noise.normal() : trial % 2 == 0 ? 1e-4 : -1e-4;
    result.log_ratios.push_back(std::log(ratio) + error);
  }
  if (trial_sd > 0) {
    const Decided decided = conclude(result.log_ratios, 0.01, 0, 0.01);
    result.ratio = decided.ratio;
    result.comparison = decided.comparison;
  } else {
    result.ratio = {ratio, ratio * 0.995, ratio * 1.005};
    result.comparison = ratio > 1.01   ? Comparison::kFaster
                        : ratio < 0.99 ? Comparison::kSlower
                                       : Comparison::kSame;
  }
  result.shapes = {{"large", result.ratio}};
  return result;
}

JobBody FakeDelivery::sweep_body(const JobSpec& job, const std::map<std::string, double>& times,
                                 const std::map<std::string, Settings>& made) {
  SweepResult body;
  body.shapes = {"large"};
  for (const auto& arm : job.arms) {
    const auto outcome = judge(made.at(arm.label));
    if (arm.role == ArmRole::kIncumbent) body.incumbent = outcome;
    if (arm.role != ArmRole::kCandidate) continue;
    SweepArm swept{arm.label, outcome, "", "", {}};
    const int trials = std::holds_alternative<Passed>(outcome) ? job.sweep.trials.at(arm.label) : 0;
    for (int trial = 0; trial < trials; ++trial) {
      const double error = trial_sd > 0 ? trial_sd * noise.normal() : 0;
      swept.log_ratios.push_back({std::log(times.at("incumbent") / times.at(arm.label)) + error});
    }
    body.arms.push_back(std::move(swept));
  }
  return body;
}

JobBody FakeDelivery::judge_body(const JobSpec& job, const std::map<std::string, double>& times,
                                 const Settings& candidate) {
  const bool confirms = job.kind == JobKind::kConfirm;
  JudgeResult body;
  body.outcome = confirms && confirm_judge ? confirm_judge(candidate) : judge(candidate);
  body.checked_cases = 1;
  body.timed_calls = 1;
  if (!std::holds_alternative<Passed>(body.outcome)) return body;
  if (confirms) body.monitor.repeats = {{"candidate", 1, 1}};
  const double candidate_ns = times.at("candidate") * (confirms ? confirm_slowdown : 1);
  for (const auto& [label, ns] : times) {
    if (label != "candidate") body.contrasts.push_back(contrast(label, ns / candidate_ns));
  }
  return body;
}

}  // namespace forge
