// What a job found, as result.json says it. Pure. May know: base, judge, stats.
// Format: docs/formats/result.md.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "judge/admission.h"
#include "judge/monitor.h"
#include "judge/outcome.h"
#include "judge/tolerance.h"
#include "stats/sequential.h"

namespace forge {

// The machine and software that a job ran on, for the report.
struct MachineFacts {
  std::string cpu;     // "Intel(R) Xeon(R) Processor @ 2.80GHz"
  std::string kernel;  // "Linux 6.18.44"
  int cores = 0;
  std::vector<int> measurer_cpus;
  std::vector<int> arm_cpus;
  std::string compiler;
  std::string libc;
  std::string device;  // "NVIDIA H200, driver for CUDA 13.0"; empty: no GPU took part
};

struct ArmFacts {
  std::string label;
  std::string description;  // "PyTorch 1.13.0, 1 thread, python 3.11.2" / "g++ 12.2.0 -O3 …"
  std::vector<std::string> build_command;
  std::string artefact_digest;  // of the shared object, or of the Python source
};

// Median nanoseconds a call over all trials.
struct ArmTime {
  std::string label;
  std::string shape;
  double median_ns = 0;
  std::string cache;  // "cold" | "warm"
};

struct ShapeRatio {
  std::string shape;
  Interval ratio;  // opponent over candidate
};

struct Contrast {
  std::string opponent;  // arm label
  std::string cache = "cold";
  Comparison comparison = Comparison::kNoVerdict;
  Interval ratio;  // geometric mean over shapes
  int trials = 0;
  std::string reason;  // of no verdict
  std::vector<ShapeRatio> shapes;
  std::vector<double> log_ratios;  // one a trial: the raw data behind `ratio`
};

struct AlignmentRow {
  CaseKind kind;
  std::string reference;   // arm label
  double worst_error = 0;  // over all seeds
  double allowed = 0;
  std::vector<std::int64_t> index;
  double expected = 0;
  double got = 0;
};

struct AlignResult {
  std::vector<AlignmentRow> rows;
  ToleranceTable tolerance;
  std::string mismatch;  // not empty: oracle and reference disagree, worst cases in words
  Admission admission;   // not tried after a mismatch
};

struct CopyCeiling {
  std::string shape;
  double bytes = 0;      // read plus written
  double median_ns = 0;  // of the faster of cached and streaming stores
  double gigabytes_per_second() const { return bytes / median_ns; }
};

struct BaselineResult {
  std::string fastest;  // label of the reference to beat
  std::vector<double> batch_ratios;
  double noise_floor = 0;
  double machine_sd = 0;
  bool unsteady = false;
};

struct JudgeResult {
  CandidateOutcome outcome;
  std::vector<Contrast> contrasts;
  int checked_cases = 0;
  int timed_calls = 0;      // every one of them verified
  MonitorFindings monitor;  // of a confirmation that passed; decides nothing
};

// One candidate of a sweep.
struct SweepArm {
  std::string label;
  CandidateOutcome outcome;
  std::string artefact;  // digest; empty: nothing was built
  // What has the same artefact and was timed instead: the label of an arm of this job, or
  // kKnownArtefact; empty: it was timed itself.
  std::string same_as;
  std::vector<std::vector<double>> log_ratios;  // [trial][shape]: log(incumbent / candidate)
};
inline constexpr std::string_view kKnownArtefact = "known";

struct SweepResult {
  std::vector<std::string> shapes;
  CandidateOutcome incumbent;  // not passed: no candidate was checked
  std::vector<SweepArm> arms;  // candidates, in the job's order
};

// A CUDA kernel without a device: what was found out before anything ran.
struct PlanResult {
  // Never Passed: a plan that is all right is no verdict on what it computes.
  CandidateOutcome outcome;
  std::string device;                     // what it was planned for, in words
  std::vector<std::string> checked;       // one phrase each
  std::string plan_digest;                // empty without a plan, and so are the next two
  std::string explanation;                // the plan as a person reads it
  std::map<std::string, double> metrics;  // what mechanism gates may name
};

using JobBody = std::variant<AlignResult, BaselineResult, JudgeResult, SweepResult, PlanResult>;

struct JobResult {
  std::string id;
  JobBody body;
  MachineFacts machine;
  std::vector<ArmFacts> arms;
  std::vector<ArmTime> times;
  std::vector<CopyCeiling> ceilings;
  std::string oracle;  // who computed the expected values, with versions
  double compile_seconds = 0;
  double oracle_seconds = 0;  // making cases
  double measure_seconds = 0;
  std::string output;  // what arms printed, clipped
};

Json to_json(const JobResult& result);
Result<JobResult> result_from_json(const Json& json, std::string_view document);

}  // namespace forge
