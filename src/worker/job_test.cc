#include "worker/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "worker/json_fields.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

JobSpec example() {
  JobSpec job;
  job.id = "0012-judge";
  job.kind = JobKind::kJudge;
  job.arms.push_back({"candidate",
                      ArmRole::kCandidate,
                      ArmLanguage::kKernel,
                      "arms/candidate/kernel.cpp",
                      {{"kVec", "16"}},
                      {}});
  job.arms.push_back({"reference",
                      ArmRole::kReference,
                      ArmLanguage::kKernel,
                      "problem/reference/softmax.cpp",
                      {},
                      {"dnnl"}});
  job.seeds = {1, std::numeric_limits<std::uint64_t>::max()};
  job.tolerance.allowed[{"y", "big", "typical"}] = 0.0156;
  job.cache = "/var/tmp/forge";
  job.check_digest = std::string(64, 'a');
  return job;
}

Result<JobSpec> parse(const Json& json) { return job_from_json(json, "job.json"); }

std::string message_of(const Json& json) {
  auto job = parse(json);
  return job ? "accepted" : job.error().message();
}

// The document with the member at `path` ("timing.looks") replaced.
Json with(Json json, std::string_view path, Json value) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    json.set(path, std::move(value));
    return json;
  }
  const std::string_view head = path.substr(0, dot);
  const Json* found = json.find(head);
  FORGE_CHECK(found != nullptr);
  Json inner = *found;
  json.set(head, with(std::move(inner), path.substr(dot + 1), std::move(value)));
  return json;
}

Json numbers(std::initializer_list<double> values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(value);
  return json;
}

Json integers(std::initializer_list<int> values) {
  Json json = Json::array();
  for (const int value : values) json.push_back(value);
  return json;
}

Json with_arm(std::size_t index, std::string_view key, Json value) {
  Json json = to_json(example());
  Json::Array arms = elements_of(json.find("arms"));
  arms[index].set(key, std::move(value));
  return with(std::move(json), "arms", Json(std::move(arms)));
}

TEST(JobJson, TheExampleComesBackThroughText) {
  const Json json = to_json(example());
  const auto text = parse_json(json.dump_pretty(), "job.json");
  ASSERT_TRUE(text);
  const auto job = parse(*text);
  ASSERT_TRUE(job) << job.error().message();
  EXPECT_EQ(to_json(*job), json);
  EXPECT_EQ(job->seeds[1], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(job->arms[0].tunables.at("kVec"), "16");
}

TEST(JobJson, AnotherVersionIsRefusedNamingBoth) {
  EXPECT_THAT(message_of(with(to_json(example()), "version", 7)),
              HasSubstr("'version' is 7, and this program reads version 1"));
  EXPECT_THAT(message_of(Json::object()), HasSubstr("'version' is missing"));
}

TEST(JobJson, UnknownAndMissingKeysAreNamedAtEveryLevel) {
  EXPECT_THAT(message_of(with(to_json(example()), "sedes", 1)), HasSubstr("did you mean 'seeds'"));
  EXPECT_THAT(message_of(with(to_json(example()), "timing.look", 1)), HasSubstr("timing.look"));
  EXPECT_THAT(message_of(with(to_json(example()), "limits.wall", 1)), HasSubstr("limits.wall"));
  EXPECT_THAT(message_of(with_arm(1, "sauce", 1)), HasSubstr("arms[1].sauce"));
  for (const char* key : {"id", "kind", "arms", "seeds", "hidden_shapes", "tolerance", "timing",
                          "limits", "cache", "check_digest"}) {
    const Json whole = to_json(example());
    const Json::Object* members = whole.as_object();
    FORGE_CHECK(members != nullptr);
    Json::Object less;
    for (const auto& member : *members) {
      if (member.first != key) less.push_back(member);
    }
    EXPECT_THAT(message_of(Json(std::move(less))), HasSubstr(key)) << key;
  }
}

TEST(JobJson, ValuesOutsideTheirRangesAreRefused) {
  const std::vector<std::pair<std::string, Json>> bad = {
      {"id", "../0012"},
      {"id", ""},
      {"kind", "guess"},
      {"seeds", Json::array()},
      {"seeds", integers({1, 1})},
      {"seeds", integers({-1})},
      {"hidden_shapes", true},
      {"tolerance", to_json(ToleranceTable{})},
      {"timing.looks", integers({6, 6, 24})},
      {"timing.looks", integers({24, 12, 6})},
      {"timing.looks", integers({1, 12, 24})},
      {"timing.alpha", numbers({0.003, 0.003})},
      {"timing.looks", Json::array()},
      {"timing.alpha", numbers({0.003, 0.0, 0.004})},
      {"timing.alpha", numbers({0.003, 0.05, 0.004})},
      {"timing.alpha", numbers({0.02, 0.02, 0.02})},
      {"timing.same_margin", -0.01},
      {"timing.pairs_per_shape", 0},
      {"timing.confirm_trials", 1},
      {"timing.confirm_alpha", 0},
      {"timing.machine_sd", -1},
      {"timing.baseline_batches", 1},
      {"timing.trials_per_batch", 1},
      {"timing.min_interval_ns", -1},
      {"timing.max_calls_per_interval", 0},
      {"timing.min_trial_ns", -1},
      {"timing.max_calls_per_trial", 0},
      {"limits.call_seconds", 0},
      {"limits.compile_seconds", 1e9},
      {"limits.memory_bytes", 1000},
      {"cache", "var/tmp"},
      {"cache", "/var/../etc"},
      {"cache", "/"},
      {"check_digest", std::string(64, 'A')},
      {"check_digest", "abc"},
  };
  for (const auto& [path, value] : bad) {
    EXPECT_THAT(message_of(with(to_json(example()), path, value)), HasSubstr(path)) << value.dump();
  }
}

TEST(JobJson, ArmsAreChecked) {
  const auto refused = [](std::size_t arm, std::string_view key, Json value) {
    return message_of(with_arm(arm, key, std::move(value)));
  };
  for (const char* source :
       {"/etc/passwd", "../x.cpp", "arms/../../x", "arms//x", "", "a/./b", "a\\b", "a\nb"}) {
    EXPECT_THAT(refused(0, "source", source), HasSubstr("arms[0].source")) << source;
  }
  for (const char* label : {".", "..", "a/b", "", "-x", "a b"}) {
    EXPECT_THAT(refused(0, "label", label), HasSubstr("arms[0].label")) << label;
  }
  EXPECT_THAT(refused(0, "label", "reference"), HasSubstr("two arms labelled 'reference'"));
  EXPECT_THAT(refused(0, "role", "reference"), HasSubstr("one candidate"));
  EXPECT_THAT(refused(1, "role", "candidate"), HasSubstr("libraries"));
  EXPECT_THAT(refused(0, "language", "python"), HasSubstr("for references only"));
  EXPECT_EQ(refused(1, "language", "python"), "accepted");
  Json tunables = Json::object();
  tunables.set("not an identifier", "1");
  EXPECT_THAT(refused(0, "tunables", tunables), HasSubstr("is no C++ identifier"));
  Json libraries = Json::array();
  libraries.push_back("-Wl,--wrap");
  EXPECT_THAT(refused(1, "libraries", libraries), HasSubstr("library's name"));
}

TEST(JobJson, CandidatesMayNotAskForLibrariesWhichWouldMakeThemTrusted) {
  Json libraries = Json::array();
  libraries.push_back("dnnl");
  EXPECT_THAT(message_of(with_arm(0, "libraries", libraries)),
              HasSubstr("may be given for references only"));
}

TEST(JobJson, EachKindHasItsArmsAndItsTolerance) {
  JobSpec job = example();
  job.kind = JobKind::kAlign;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("must be references"));
  job.arms.erase(job.arms.begin());
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("calibrates"));
  job.tolerance = {};
  EXPECT_EQ(message_of(to_json(job)), "accepted");
  job.kind = JobKind::kBaseline;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("compares by it"));
  job = example();
  job.kind = JobKind::kCheck;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("one candidate and no other"));
  job.arms.pop_back();
  EXPECT_EQ(message_of(to_json(job)), "accepted");
  job.hidden_shapes = true;
  EXPECT_EQ(message_of(to_json(job)), "accepted");
  job.kind = JobKind::kPlan;
  job.hidden_shapes = false;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("compares nothing"));
  job.tolerance = {};
  EXPECT_EQ(message_of(to_json(job)), "accepted");
  job = example();
  job.kind = JobKind::kConfirm;
  job.hidden_shapes = true;
  EXPECT_EQ(message_of(to_json(job)), "accepted");
}

JobSpec sweep() {
  JobSpec job = example();
  job.kind = JobKind::kSweep;
  job.arms[1] = job.arms[0];
  job.arms[1].label = "candidate-1";
  job.arms.push_back(job.arms[0]);
  job.arms[2].label = "incumbent";
  job.arms[2].role = ArmRole::kIncumbent;
  job.sweep.trials = {{"candidate", 1}, {"candidate-1", 3}};
  job.sweep.known_artefacts = {"aa"};
  return job;
}

TEST(JobJson, ASweepSaysHowManyTrialsEachCandidateGets) {
  const auto back = parse(to_json(sweep()));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->sweep.trials, sweep().sweep.trials);
  EXPECT_EQ(back->sweep.known_artefacts, sweep().sweep.known_artefacts);
  auto job = sweep();
  job.sweep.trials.erase("candidate");
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("sweep.trials.candidate"));
  job = sweep();
  job.sweep.trials["incumbent"] = 1;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("one number for each candidate and no other"));
  job = sweep();
  job.sweep.trials["candidate"] = 0;
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("sweep.trials.candidate"));
  job = sweep();
  job.arms.pop_back();
  EXPECT_THAT(message_of(to_json(job)), HasSubstr("candidates and one incumbent"));
  EXPECT_THAT(message_of(with(to_json(example()), "sweep", Json::object())),
              HasSubstr("only to them"));
}

template <typename T>
T pick(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

std::string name() {
  static const std::string kCharacters = "abcXYZ019._-";
  const auto tail =
      *rc::gen::resize(20, rc::gen::container<std::string>(rc::gen::elementOf(kCharacters)));
  return "n" + tail;
}

ArmSpec any_arm(const std::string& label, ArmRole role) {
  ArmSpec arm;
  arm.label = label;
  arm.role = role;
  arm.source = "arms/" + label + "/" + name();
  const int tunables = *rc::gen::inRange(0, 4);
  for (int i = 0; i < tunables; ++i) arm.tunables["k" + std::to_string(i)] = name();
  if (role == ArmRole::kReference) {
    arm.language = pick({ArmLanguage::kKernel, ArmLanguage::kPython});
    if (*rc::gen::arbitrary<bool>()) arm.libraries.push_back("lib-" + name());
  }
  return arm;
}

JobSpec any_job() {
  JobSpec job;
  job.id = name();
  job.kind = pick(
      {JobKind::kAlign, JobKind::kBaseline, JobKind::kCheck, JobKind::kJudge, JobKind::kConfirm});
  const bool judges = job.kind == JobKind::kJudge || job.kind == JobKind::kConfirm;
  const bool checks = job.kind == JobKind::kCheck;
  if (judges || checks) job.arms.push_back(any_arm("candidate", ArmRole::kCandidate));
  if (judges && *rc::gen::arbitrary<bool>()) {
    job.arms.push_back(any_arm("incumbent", ArmRole::kIncumbent));
  }
  const int references = checks ? 0 : *rc::gen::inRange(1, 4);
  for (int i = 0; i < references; ++i) {
    job.arms.push_back(any_arm("reference-" + std::to_string(i), ArmRole::kReference));
  }
  const auto seeds = *rc::gen::nonEmpty(
      rc::gen::unique<std::vector<std::uint64_t>>(rc::gen::arbitrary<std::uint64_t>()));
  job.seeds.assign(seeds.begin(), seeds.begin() + std::min<std::ptrdiff_t>(100, std::ssize(seeds)));
  job.hidden_shapes = (checks || job.kind == JobKind::kConfirm) && *rc::gen::arbitrary<bool>();
  if (job.kind != JobKind::kAlign) {
    job.tolerance.allowed[{name(), name(), name()}] = *rc::gen::inRange(0, 1000) / 997.0;
  }
  job.timing.looks.looks = {*rc::gen::inRange(2, 10), *rc::gen::inRange(10, 100)};
  job.timing.looks.alpha = {*rc::gen::inRange(1, 20) / 1000.3, 0.01};
  job.timing.machine_sd = *rc::gen::inRange(0, 100) / 12345.0;
  job.timing.pairs_per_shape = *rc::gen::inRange(1, 10);
  job.timing.min_interval_ns = *rc::gen::inRange(0, 1'000'000);
  job.timing.min_trial_ns = *rc::gen::inRange(0, 1'000'000);
  job.timing.max_calls_per_trial = *rc::gen::inRange(1, 1000);
  job.limits.call_seconds = *rc::gen::inRange(1, 100) / 7.0;
  job.limits.memory_bytes = *rc::gen::inRange<std::uint64_t>(16ull << 20, 1ull << 40);
  job.cache = "/" + name() + "/" + name();
  job.check_digest = std::string(64, pick({'0', '9', 'a', 'f'}));
  return job;
}

RC_GTEST_PROP(JobJson, AnyLegalJobComesBackThroughText, ()) {
  const JobSpec job = any_job();
  const auto text = parse_json(to_json(job).dump(), "job.json");
  RC_ASSERT(text.has_value());
  const auto back = parse(*text);
  if (!back) RC_FAIL(back.error().message());
  RC_ASSERT(to_json(*back) == to_json(job));
  RC_ASSERT(back->timing.machine_sd == job.timing.machine_sd);
}

TEST(SafeNames, AreOneHarmlessFileName) {
  EXPECT_TRUE(is_safe_name("reference-1"));
  EXPECT_TRUE(is_safe_name(std::string(64, 'x')));
  for (const char* bad : {"", ".", "..", ".x", "-x", "a/b", "a b", "a\n"}) {
    EXPECT_FALSE(is_safe_name(bad)) << bad;
  }
  EXPECT_FALSE(is_safe_name(std::string(65, 'x')));
}

}  // namespace
}  // namespace forge
