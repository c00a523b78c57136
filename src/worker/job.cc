#include "worker/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text.h"
#include "worker/json_fields.h"

namespace forge {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostArms = 16;
constexpr std::size_t kMostSeeds = 1024;
constexpr std::size_t kMostLooks = 16;
constexpr std::size_t kMostTunables = 64;
constexpr std::size_t kLongestTunable = 512;  // of a tunable by shape it is a list
constexpr std::size_t kMostLibraries = 16;
constexpr std::size_t kMostKnown = 100'000;
constexpr std::int64_t kMostSweepTrials = 1000;
constexpr double kMostAlpha = 0.05;
constexpr double kLongestSeconds = 3600;
constexpr std::int64_t kLeastMemory = 16ll << 20;
constexpr std::int64_t kMostMemory = 1ll << 40;

constexpr auto kKindNames =
    std::to_array<std::pair<JobKind, std::string_view>>({{JobKind::kAlign, "align"},
                                                         {JobKind::kBaseline, "baseline"},
                                                         {JobKind::kCheck, "check"},
                                                         {JobKind::kJudge, "judge"},
                                                         {JobKind::kConfirm, "confirm"},
                                                         {JobKind::kPlan, "plan"},
                                                         {JobKind::kSweep, "sweep"}});
constexpr auto kRoleNames =
    std::to_array<std::pair<ArmRole, std::string_view>>({{ArmRole::kCandidate, "candidate"},
                                                         {ArmRole::kIncumbent, "incumbent"},
                                                         {ArmRole::kReference, "reference"}});
constexpr auto kLanguageNames = std::to_array<std::pair<ArmLanguage, std::string_view>>(
    {{ArmLanguage::kKernel, "kernel"}, {ArmLanguage::kPython, "python"}});

template <typename Names, typename Value>
std::string_view name_in(const Names& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  invariant_failed(__FILE__, __LINE__, "a named value");
}

template <typename Names>
auto read_name(const JsonReader& reader, std::string_view key, const Names& names)
    -> Result<std::remove_const_t<decltype(names[0].first)>> {
  FORGE_TRY(const std::string text, reader.string(key));
  std::vector<std::string> known;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  return reader.error(
      key, fmt::format("is '{}', not one of {}", printable(clip(text, 64)), join(known, ", ")));
}

Json to_json(const ArmSpec& arm) {
  Json tunables = Json::object();
  for (const auto& [name, value] : arm.tunables) tunables.set(name, value);
  Json json = Json::object();
  json.set("label", arm.label);
  json.set("role", arm_role_name(arm.role));
  json.set("language", name_in(kLanguageNames, arm.language));
  json.set("source", arm.source);
  json.set("tunables", std::move(tunables));
  json.set("libraries", list_json(arm.libraries));
  return json;
}

Result<std::map<std::string, std::string>> read_tunables(const JsonReader& arm) {
  FORGE_TRY(const JsonReader reader, arm.object("tunables"));
  const Json::Object* members = reader.json().as_object();
  FORGE_CHECK(members != nullptr);
  if (members->size() > kMostTunables) return arm.error("tunables", "holds more than 64 values");
  std::map<std::string, std::string> tunables;
  for (const auto& [name, value] : *members) {
    const std::string* text = value.as_string();
    if (!is_identifier(name)) return reader.error(name, "is no C++ identifier");
    if (text == nullptr || text->empty() || text->size() > kLongestTunable) {
      return reader.error(name, "must be a string of 1 to 512 bytes");
    }
    tunables.emplace(name, *text);
  }
  return tunables;
}

Result<std::string> read_library(const JsonReader& element) {
  FORGE_TRY(const std::string name, string_element(element));
  const bool plain = !name.empty() && name.size() <= 64 && name[0] != '-' &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+' || c == '.';
                     });
  if (!plain) return element.error("", "must be a library's name as in -l, such as 'dnnl'");
  return name;
}

Result<ArmSpec> read_arm(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(
      reader.only_keys({"label", "role", "language", "source", "tunables", "libraries"}));
  ArmSpec arm;
  FORGE_TRY(arm.label, safe_name(reader, "label"));
  FORGE_TRY(arm.role, read_name(reader, "role", kRoleNames));
  FORGE_TRY(arm.language, read_name(reader, "language", kLanguageNames));
  FORGE_TRY(arm.source, reader.string("source"));
  if (!is_safe_relative_path(arm.source)) {
    return reader.error("source", "must be a relative path inside the bundle, without '..'");
  }
  FORGE_TRY(arm.tunables, read_tunables(reader));
  FORGE_TRY(arm.libraries, read_list(reader, "libraries", kMostLibraries, read_library));
  if (arm.role == ArmRole::kReference) return arm;
  // Libraries make an arm trusted, which only what the user named as reference may be.
  if (!arm.libraries.empty()) return reader.error("libraries", "may be given for references only");
  if (arm.language == ArmLanguage::kPython) {
    return reader.error("language", "may be 'python' for references only");
  }
  return arm;
}

// Which arms a kind of job works on.
Status check_arms(const JsonReader& reader, JobKind kind, const std::vector<ArmSpec>& arms) {
  std::set<std::string> labels;
  std::size_t candidates = 0;
  std::size_t incumbents = 0;
  for (const ArmSpec& arm : arms) {
    if (!labels.insert(arm.label).second) {
      return reader.error("arms", fmt::format("holds two arms labelled '{}'", arm.label));
    }
    candidates += arm.role == ArmRole::kCandidate ? 1 : 0;
    incumbents += arm.role == ArmRole::kIncumbent ? 1 : 0;
  }
  if (kind == JobKind::kAlign || kind == JobKind::kBaseline) {
    if (arms.empty() || candidates + incumbents > 0) {
      return reader.error("arms", "must be references, at least one, for this kind of job");
    }
    return {};
  }
  if (kind == JobKind::kCheck || kind == JobKind::kPlan) {
    if (candidates == 1 && arms.size() == 1) return {};
    return reader.error("arms", "must be one candidate and no other for this kind of job");
  }
  if (kind == JobKind::kSweep) {
    if (candidates < 1 || incumbents != 1 || arms.size() != candidates + 1) {
      return reader.error("arms", "must be candidates and one incumbent for this kind of job");
    }
    return {};
  }
  if (candidates != 1 || incumbents > 1 || arms.size() < 2) {
    return reader.error("arms",
                        "must be one candidate, at most one incumbent and at least one opponent "
                        "for this kind of job");
  }
  return {};
}

Json to_json(const TimingPlan& timing) {
  Json json = Json::object();
  json.set("looks", list_json(timing.looks.looks));
  json.set("alpha", list_json(timing.looks.alpha));
  json.set("same_margin", timing.looks.same_margin);
  json.set("pairs_per_shape", timing.pairs_per_shape);
  json.set("confirm_trials", timing.confirm_trials);
  json.set("confirm_alpha", timing.confirm_alpha);
  json.set("machine_sd", timing.machine_sd);
  json.set("baseline_batches", timing.baseline_batches);
  json.set("trials_per_batch", timing.trials_per_batch);
  json.set("min_interval_ns", timing.min_interval_ns);
  json.set("max_calls_per_interval", timing.max_calls_per_interval);
  json.set("min_trial_ns", timing.min_trial_ns);
  json.set("max_calls_per_trial", timing.max_calls_per_trial);
  return json;
}

Result<LookPlan> read_looks(const JsonReader& reader) {
  LookPlan plan;
  const auto read_look = [](const JsonReader& element) -> Result<int> {
    FORGE_TRY(const std::int64_t value, integer_element(element));
    if (value < 2 || value > 10'000) return element.error("", "must lie in 2 to 10000");
    return static_cast<int>(value);
  };
  const auto read_alpha = [](const JsonReader& element) -> Result<double> {
    FORGE_TRY(const double value, number_element(element));
    if (!(value > 0 && value < kMostAlpha)) {
      return element.error("", "must lie between 0 and 0.05, both excluded");
    }
    return value;
  };
  FORGE_TRY(plan.looks, read_list(reader, "looks", kMostLooks, read_look));
  FORGE_TRY(plan.alpha, read_list(reader, "alpha", kMostLooks, read_alpha));
  FORGE_TRY(plan.same_margin, number_between(reader, "same_margin", 0, 0.5));
  if (plan.looks.empty()) return reader.error("looks", "must not be empty");
  if (plan.looks.size() != plan.alpha.size()) {
    return reader.error("alpha", "must hold one value for each look");
  }
  if (std::adjacent_find(plan.looks.begin(), plan.looks.end(), std::greater_equal<>()) !=
      plan.looks.end()) {
    return reader.error("looks", "must ascend");
  }
  double total = 0;
  for (const double alpha : plan.alpha) total += alpha;
  if (total > kMostAlpha) return reader.error("alpha", "sums to more than 0.05");
  return plan;
}

Result<TimingPlan> read_timing(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys(
      {"looks", "alpha", "same_margin", "pairs_per_shape", "confirm_trials", "confirm_alpha",
       "machine_sd", "baseline_batches", "trials_per_batch", "min_interval_ns",
       "max_calls_per_interval", "min_trial_ns", "max_calls_per_trial"}));
  TimingPlan timing;
  FORGE_TRY(timing.looks, read_looks(reader));
  FORGE_TRY(timing.pairs_per_shape, int_between(reader, "pairs_per_shape", 1, 1000));
  FORGE_TRY(timing.confirm_trials, int_between(reader, "confirm_trials", 2, 10'000));
  FORGE_TRY(timing.confirm_alpha, number_between(reader, "confirm_alpha", 0, kMostAlpha));
  if (timing.confirm_alpha == 0) return reader.error("confirm_alpha", "must be more than 0");
  FORGE_TRY(timing.machine_sd, number_between(reader, "machine_sd", 0, 10));
  FORGE_TRY(timing.baseline_batches, int_between(reader, "baseline_batches", 2, 1000));
  FORGE_TRY(timing.trials_per_batch, int_between(reader, "trials_per_batch", 2, 10'000));
  FORGE_TRY(timing.min_interval_ns, integer_between(reader, "min_interval_ns", 0, 1'000'000'000));
  FORGE_TRY(timing.max_calls_per_interval, int_between(reader, "max_calls_per_interval", 1, 1024));
  FORGE_TRY(timing.min_trial_ns, integer_between(reader, "min_trial_ns", 0, 1'000'000'000));
  FORGE_TRY(timing.max_calls_per_trial, int_between(reader, "max_calls_per_trial", 1, 10'000));
  return timing;
}

Json to_json(const SweepPlan& sweep) {
  Json trials = Json::object();
  for (const auto& [label, count] : sweep.trials) trials.set(label, count);
  Json json = Json::object();
  json.set("trials", std::move(trials));
  json.set("known_artefacts", list_json(sweep.known_artefacts));
  return json;
}

Result<SweepPlan> read_sweep(const JsonReader& reader, const std::vector<ArmSpec>& arms) {
  FORGE_TRY_STATUS(reader.only_keys({"trials", "known_artefacts"}));
  SweepPlan sweep;
  FORGE_TRY(const JsonReader trials, reader.object("trials"));
  for (const ArmSpec& arm : arms) {
    if (arm.role != ArmRole::kCandidate) continue;
    FORGE_TRY(sweep.trials[arm.label], int_between(trials, arm.label, 1, kMostSweepTrials));
  }
  const Json::Object* members = trials.json().as_object();
  if (members == nullptr || members->size() != sweep.trials.size()) {
    return reader.error("trials", "must hold one number for each candidate and no other");
  }
  FORGE_TRY(sweep.known_artefacts,
            read_list(reader, "known_artefacts", kMostKnown, string_element));
  return sweep;
}

Json to_json(const JobLimits& limits) {
  Json json = Json::object();
  json.set("call_seconds", limits.call_seconds);
  json.set("compile_seconds", limits.compile_seconds);
  json.set("memory_bytes", limits.memory_bytes);
  return json;
}

Result<JobLimits> read_limits(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"call_seconds", "compile_seconds", "memory_bytes"}));
  constexpr double kShortestSeconds = 1e-3;
  JobLimits limits;
  FORGE_TRY(limits.call_seconds,
            number_between(reader, "call_seconds", kShortestSeconds, kLongestSeconds));
  FORGE_TRY(limits.compile_seconds,
            number_between(reader, "compile_seconds", kShortestSeconds, kLongestSeconds));
  FORGE_TRY(const std::int64_t memory,
            integer_between(reader, "memory_bytes", kLeastMemory, kMostMemory));
  limits.memory_bytes = static_cast<std::uint64_t>(memory);
  return limits;
}

Result<std::vector<std::uint64_t>> read_seeds(const JsonReader& reader) {
  FORGE_TRY(auto seeds, read_list(reader, "seeds", kMostSeeds,
                                  [](const JsonReader& element) -> Result<std::uint64_t> {
                                    std::uint64_t seed = 0;
                                    if (element.json().as_uint(seed)) return seed;
                                    return element.error("", "must be an integer of at least 0");
                                  }));
  if (seeds.empty()) return reader.error("seeds", "must not be empty");
  if (std::set<std::uint64_t>(seeds.begin(), seeds.end()).size() != seeds.size()) {
    return reader.error("seeds", "holds a seed twice");
  }
  return seeds;
}

Result<std::string> read_cache(const JsonReader& reader) {
  FORGE_TRY(std::string cache, reader.string("cache"));
  const bool absolute = cache.starts_with('/') && cache != "/";
  if (!absolute || !is_safe_relative_path(std::string_view(cache).substr(1))) {
    return reader.error("cache", "must be an absolute path without '..'");
  }
  return cache;
}

Result<std::string> read_digest(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(std::string digest, reader.string(key));
  if (digest.size() != 64 || digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return reader.error(key, "must be a digest of 64 lower-case hex digits");
  }
  return digest;
}

Status check_tolerance(const JsonReader& reader, const JobSpec& job) {
  const bool without = job.kind == JobKind::kAlign || job.kind == JobKind::kPlan;
  if (without && !job.tolerance.allowed.empty()) {
    return reader.error("tolerance", job.kind == JobKind::kAlign
                                         ? "must be empty: this kind of job calibrates it"
                                         : "must be empty: this kind of job compares nothing");
  }
  if (!without && job.tolerance.allowed.empty()) {
    return reader.error("tolerance", "must not be empty: this kind of job compares by it");
  }
  return {};
}

}  // namespace

std::string_view job_kind_name(JobKind kind) { return name_in(kKindNames, kind); }
std::string_view arm_role_name(ArmRole role) { return name_in(kRoleNames, role); }

Json to_json(const JobSpec& job) {
  Json json = Json::object();
  json.set("version", kVersion);
  json.set("id", job.id);
  json.set("kind", job_kind_name(job.kind));
  json.set("arms", list_json(job.arms, [](const ArmSpec& arm) { return to_json(arm); }));
  json.set("seeds", list_json(job.seeds));
  json.set("hidden_shapes", job.hidden_shapes);
  json.set("tolerance", to_json(job.tolerance));
  json.set("timing", to_json(job.timing));
  json.set("limits", to_json(job.limits));
  json.set("cache", job.cache);
  json.set("check_digest", job.check_digest);
  if (job.kind == JobKind::kSweep) json.set("sweep", to_json(job.sweep));
  return json;
}

Result<JobSpec> job_from_json(const Json& json, std::string_view document) {
  const JsonReader reader(json, std::string(document));
  FORGE_TRY_STATUS(require_version(reader, kVersion));
  FORGE_TRY_STATUS(
      reader.only_keys({"version", "id", "kind", "arms", "seeds", "hidden_shapes", "tolerance",
                        "timing", "limits", "cache", "check_digest", "sweep"}));
  JobSpec job;
  FORGE_TRY(job.id, safe_name(reader, "id"));
  FORGE_TRY(job.kind, read_name(reader, "kind", kKindNames));
  FORGE_TRY(job.arms, read_list(reader, "arms", kMostArms, read_arm));
  FORGE_TRY_STATUS(check_arms(reader, job.kind, job.arms));
  FORGE_TRY(job.seeds, read_seeds(reader));
  FORGE_TRY(job.hidden_shapes, reader.boolean("hidden_shapes"));
  if (job.hidden_shapes && job.kind != JobKind::kConfirm && job.kind != JobKind::kCheck) {
    return reader.error("hidden_shapes", "may be true for 'check' and 'confirm' only");
  }
  FORGE_TRY(const JsonReader tolerance, reader.object("tolerance"));
  FORGE_TRY(job.tolerance, tolerance_from_json(tolerance));
  FORGE_TRY_STATUS(check_tolerance(reader, job));
  FORGE_TRY(const JsonReader timing, reader.object("timing"));
  FORGE_TRY(job.timing, read_timing(timing));
  FORGE_TRY(const JsonReader limits, reader.object("limits"));
  FORGE_TRY(job.limits, read_limits(limits));
  FORGE_TRY(job.cache, read_cache(reader));
  FORGE_TRY(job.check_digest, read_digest(reader, "check_digest"));
  if ((job.kind == JobKind::kSweep) != reader.has("sweep")) {
    return reader.error("sweep", "belongs to 'sweep' jobs, and only to them");
  }
  if (job.kind == JobKind::kSweep) {
    FORGE_TRY(const JsonReader sweep, reader.object("sweep"));
    FORGE_TRY(job.sweep, read_sweep(sweep, job.arms));
  }
  return job;
}

}  // namespace forge
