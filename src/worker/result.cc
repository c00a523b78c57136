#include "worker/result.h"

#include <fmt/format.h>

#include <cmath>

#include "worker/json_fields.h"
#include "worker/monitor_json.h"

namespace forge {
namespace {

constexpr std::int64_t kVersion = 3;
constexpr int kMostCount = 1'000'000'000;
constexpr std::size_t kMostRows = 100'000;
constexpr double kMostSeconds = 1e9;

Json to_json(const MachineFacts& machine) {
  Json json = Json::object();
  json.set("cpu", machine.cpu);
  json.set("kernel", machine.kernel);
  json.set("cores", machine.cores);
  json.set("measurer_cpus", list_json(machine.measurer_cpus));
  json.set("arm_cpus", list_json(machine.arm_cpus));
  json.set("compiler", machine.compiler);
  json.set("libc", machine.libc);
  if (!machine.device.empty()) json.set("device", machine.device);
  return json;
}

Result<int> read_cpu(const JsonReader& element) {
  constexpr std::int64_t kMostCpus = 65'536;
  FORGE_TRY(const std::int64_t cpu, integer_element(element));
  if (cpu < 0 || cpu >= kMostCpus) return element.error("", "is no number of a CPU");
  return static_cast<int>(cpu);
}

Result<MachineFacts> read_machine(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys(
      {"cpu", "kernel", "cores", "measurer_cpus", "arm_cpus", "compiler", "libc", "device"}));
  MachineFacts machine;
  FORGE_TRY(machine.cpu, reader.string("cpu"));
  FORGE_TRY(machine.kernel, reader.string("kernel"));
  FORGE_TRY(machine.cores, int_between(reader, "cores", 0, kMostCount));
  FORGE_TRY(machine.measurer_cpus, read_list(reader, "measurer_cpus", kMostRows, read_cpu));
  FORGE_TRY(machine.arm_cpus, read_list(reader, "arm_cpus", kMostRows, read_cpu));
  FORGE_TRY(machine.compiler, reader.string("compiler"));
  FORGE_TRY(machine.libc, reader.string("libc"));
  if (reader.has("device")) {
    FORGE_TRY(machine.device, reader.string("device"));
  }
  return machine;
}

Json arm_json(const ArmFacts& arm) {
  Json json = Json::object();
  json.set("label", arm.label);
  json.set("description", arm.description);
  json.set("build_command", list_json(arm.build_command));
  json.set("artefact_digest", arm.artefact_digest);
  return json;
}

Result<ArmFacts> read_arm(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"label", "description", "build_command", "artefact_digest"}));
  ArmFacts arm;
  FORGE_TRY(arm.label, safe_name(reader, "label"));
  FORGE_TRY(arm.description, reader.string("description"));
  FORGE_TRY(arm.build_command, read_list(reader, "build_command", kMostRows, string_element));
  FORGE_TRY(arm.artefact_digest, reader.string("artefact_digest"));
  return arm;
}

Result<std::string> read_cache(const JsonReader& reader) {
  FORGE_TRY(std::string cache, reader.string("cache"));
  if (cache != "cold" && cache != "warm") return reader.error("cache", "must be 'cold' or 'warm'");
  return cache;
}

Json time_json(const ArmTime& time) {
  Json json = Json::object();
  json.set("label", time.label);
  json.set("shape", time.shape);
  json.set("median_ns", number_or_word(time.median_ns));
  json.set("cache", time.cache);
  return json;
}

Result<ArmTime> read_time(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"label", "shape", "median_ns", "cache"}));
  ArmTime time;
  FORGE_TRY(time.label, safe_name(reader, "label"));
  FORGE_TRY(time.shape, reader.string("shape"));
  FORGE_TRY(time.median_ns, read_measurement(reader, "median_ns"));
  FORGE_TRY(time.cache, read_cache(reader));
  return time;
}

Json to_json(const Interval& interval) {
  Json json = Json::object();
  json.set("point", number_or_word(interval.point));
  json.set("low", number_or_word(interval.low));
  json.set("high", number_or_word(interval.high));
  return json;
}

Result<Interval> read_ratio(const JsonReader& parent) {
  FORGE_TRY(const JsonReader reader, parent.object("ratio"));
  FORGE_TRY_STATUS(reader.only_keys({"point", "low", "high"}));
  Interval ratio;
  FORGE_TRY(ratio.point, read_measurement(reader, "point"));
  FORGE_TRY(ratio.low, read_measurement(reader, "low"));
  FORGE_TRY(ratio.high, read_measurement(reader, "high"));
  if (ratio.low > ratio.point || ratio.point > ratio.high) {
    return reader.error("point", "must lie between 'low' and 'high'");
  }
  return ratio;
}

Json shape_json(const ShapeRatio& shape) {
  Json json = Json::object();
  json.set("shape", shape.shape);
  json.set("ratio", to_json(shape.ratio));
  return json;
}

Result<ShapeRatio> read_shape(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"shape", "ratio"}));
  ShapeRatio shape;
  FORGE_TRY(shape.shape, reader.string("shape"));
  FORGE_TRY(shape.ratio, read_ratio(reader));
  return shape;
}

Json contrast_json(const Contrast& contrast) {
  Json json = Json::object();
  json.set("opponent", contrast.opponent);
  json.set("cache", contrast.cache);
  json.set("comparison", comparison_name(contrast.comparison));
  json.set("ratio", to_json(contrast.ratio));
  json.set("trials", contrast.trials);
  json.set("reason", contrast.reason);
  json.set("shapes", list_json(contrast.shapes, shape_json));
  json.set("log_ratios", list_json(contrast.log_ratios, number_or_word));
  return json;
}

Result<Contrast> read_contrast(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys(
      {"opponent", "cache", "comparison", "ratio", "trials", "reason", "shapes", "log_ratios"}));
  Contrast contrast;
  FORGE_TRY(contrast.opponent, safe_name(reader, "opponent"));
  FORGE_TRY(contrast.cache, read_cache(reader));
  FORGE_TRY(const std::string comparison, reader.string("comparison"));
  const auto parsed = parse_comparison(comparison);
  if (!parsed) return reader.error("comparison", "is no outcome of a comparison");
  contrast.comparison = *parsed;
  FORGE_TRY(contrast.ratio, read_ratio(reader));
  FORGE_TRY(contrast.trials, int_between(reader, "trials", 0, kMostCount));
  FORGE_TRY(contrast.reason, reader.string("reason"));
  FORGE_TRY(contrast.shapes, read_list(reader, "shapes", kMostRows, read_shape));
  FORGE_TRY(contrast.log_ratios,
            read_list(reader, "log_ratios", kMostRows, number_or_word_element));
  return contrast;
}

Json row_json(const AlignmentRow& row) {
  Json json = Json::object();
  json.set("output", row.kind.output);
  json.set("shape", row.kind.shape);
  json.set("group", row.kind.group);
  json.set("reference", row.reference);
  json.set("worst_error", number_or_word(row.worst_error));
  json.set("allowed", number_or_word(row.allowed));
  json.set("index", list_json(row.index));
  json.set("expected", number_or_word(row.expected));
  json.set("got", number_or_word(row.got));
  return json;
}

Result<AlignmentRow> read_row(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"output", "shape", "group", "reference", "worst_error",
                                     "allowed", "index", "expected", "got"}));
  AlignmentRow row;
  FORGE_TRY(row.kind.output, reader.string("output"));
  FORGE_TRY(row.kind.shape, reader.string("shape"));
  FORGE_TRY(row.kind.group, reader.string("group"));
  FORGE_TRY(row.reference, safe_name(reader, "reference"));
  FORGE_TRY(row.worst_error, read_measurement(reader, "worst_error"));
  FORGE_TRY(row.allowed, read_measurement(reader, "allowed"));
  FORGE_TRY(row.index, read_list(reader, "index", kMostRows, integer_element));
  FORGE_TRY(row.expected, read_number_or_word(reader, "expected"));
  FORGE_TRY(row.got, read_number_or_word(reader, "got"));
  return row;
}

Json ceiling_json(const CopyCeiling& ceiling) {
  Json json = Json::object();
  json.set("shape", ceiling.shape);
  json.set("bytes", number_or_word(ceiling.bytes));
  json.set("median_ns", number_or_word(ceiling.median_ns));
  return json;
}

Result<CopyCeiling> read_ceiling(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"shape", "bytes", "median_ns"}));
  CopyCeiling ceiling;
  FORGE_TRY(ceiling.shape, reader.string("shape"));
  FORGE_TRY(ceiling.bytes, read_measurement(reader, "bytes"));
  FORGE_TRY(ceiling.median_ns, read_measurement(reader, "median_ns"));
  return ceiling;
}

Json body_json(const AlignResult& body) {
  Json json = Json::object();
  json.set("rows", list_json(body.rows, row_json));
  json.set("tolerance", to_json(body.tolerance));
  json.set("mismatch", body.mismatch);
  json.set("admission", to_json(body.admission));
  return json;
}

Json body_json(const BaselineResult& body) {
  Json json = Json::object();
  json.set("fastest", body.fastest);
  json.set("batch_ratios", list_json(body.batch_ratios, number_or_word));
  json.set("noise_floor", number_or_word(body.noise_floor));
  json.set("machine_sd", number_or_word(body.machine_sd));
  json.set("unsteady", body.unsteady);
  return json;
}

Json body_json(const JudgeResult& body) {
  Json json = Json::object();
  json.set("outcome", to_json(body.outcome));
  json.set("contrasts", list_json(body.contrasts, contrast_json));
  json.set("checked_cases", body.checked_cases);
  json.set("timed_calls", body.timed_calls);
  json.set("monitor", to_json(body.monitor));
  return json;
}

Json sweep_arm_json(const SweepArm& arm) {
  Json trials = Json::array();
  for (const auto& trial : arm.log_ratios) trials.push_back(list_json(trial, number_or_word));
  Json json = Json::object();
  json.set("label", arm.label);
  json.set("outcome", to_json(arm.outcome));
  json.set("artefact", arm.artefact);
  json.set("same_as", arm.same_as);
  json.set("log_ratios", std::move(trials));
  return json;
}

Json body_json(const SweepResult& body) {
  Json json = Json::object();
  json.set("shapes", list_json(body.shapes));
  json.set("incumbent", to_json(body.incumbent));
  json.set("arms", list_json(body.arms, sweep_arm_json));
  return json;
}

Json metric_json(const std::pair<std::string, double>& metric) {
  return Json::object().set("name", metric.first).set("value", number_or_word(metric.second));
}

Json body_json(const PlanResult& body) {
  const std::vector<std::pair<std::string, double>> metrics(body.metrics.begin(),
                                                            body.metrics.end());
  Json json = Json::object();
  json.set("outcome", to_json(body.outcome));
  json.set("device", body.device);
  json.set("checked", list_json(body.checked));
  json.set("plan_digest", body.plan_digest);
  json.set("explanation", body.explanation);
  json.set("metrics", list_json(metrics, metric_json));
  return json;
}

Result<JobBody> read_align(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"rows", "tolerance", "mismatch", "admission"}));
  AlignResult body;
  FORGE_TRY(body.rows, read_list(reader, "rows", kMostRows, read_row));
  FORGE_TRY(const JsonReader tolerance, reader.object("tolerance"));
  FORGE_TRY(body.tolerance, tolerance_from_json(tolerance));
  FORGE_TRY(body.mismatch, reader.string("mismatch"));
  FORGE_TRY(const JsonReader admission, reader.object("admission"));
  FORGE_TRY(body.admission, admission_from_json(admission));
  return JobBody(std::move(body));
}

Result<JobBody> read_baseline(const JsonReader& reader) {
  FORGE_TRY_STATUS(
      reader.only_keys({"fastest", "batch_ratios", "noise_floor", "machine_sd", "unsteady"}));
  BaselineResult body;
  FORGE_TRY(body.fastest, safe_name(reader, "fastest"));
  FORGE_TRY(body.batch_ratios,
            read_list(reader, "batch_ratios", kMostRows, number_or_word_element));
  FORGE_TRY(body.noise_floor, read_measurement(reader, "noise_floor"));
  FORGE_TRY(body.machine_sd, read_measurement(reader, "machine_sd"));
  FORGE_TRY(body.unsteady, reader.boolean("unsteady"));
  return JobBody(std::move(body));
}

Result<JobBody> read_judge(const JsonReader& reader) {
  FORGE_TRY_STATUS(
      reader.only_keys({"outcome", "contrasts", "checked_cases", "timed_calls", "monitor"}));
  JudgeResult body;
  FORGE_TRY(const JsonReader outcome, reader.object("outcome"));
  FORGE_TRY(body.outcome, outcome_from_json(outcome));
  FORGE_TRY(body.contrasts, read_list(reader, "contrasts", kMostRows, read_contrast));
  FORGE_TRY(body.checked_cases, int_between(reader, "checked_cases", 0, kMostCount));
  FORGE_TRY(body.timed_calls, int_between(reader, "timed_calls", 0, kMostCount));
  FORGE_TRY(const JsonReader monitor, reader.object("monitor"));
  FORGE_TRY(body.monitor, monitor_from_json(monitor));
  return JobBody(std::move(body));
}

Result<std::vector<double>> read_trial(const JsonReader& parent, std::size_t index,
                                       const Json& trial, std::size_t shapes) {
  const JsonReader reader = parent.element("log_ratios", index, trial);
  const Json::Array* values = trial.as_array();
  if (values == nullptr || values->size() != shapes) {
    return reader.error("", "must hold one number for each shape");
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < shapes; ++i) {
    FORGE_TRY(const double number, number_or_word_element(reader.element("", i, (*values)[i])));
    numbers.push_back(number);
  }
  return numbers;
}

Result<SweepArm> read_sweep_arm(const JsonReader& reader, std::size_t shapes) {
  FORGE_TRY_STATUS(reader.only_keys({"label", "outcome", "artefact", "same_as", "log_ratios"}));
  SweepArm arm;
  FORGE_TRY(arm.label, safe_name(reader, "label"));
  FORGE_TRY(const JsonReader outcome, reader.object("outcome"));
  FORGE_TRY(arm.outcome, outcome_from_json(outcome));
  FORGE_TRY(arm.artefact, reader.string("artefact"));
  FORGE_TRY(arm.same_as, reader.string("same_as"));
  FORGE_TRY(const Json* trials, reader.array("log_ratios"));
  const Json::Array& elements = elements_of(trials);
  if (elements.size() > kMostRows) return reader.error("log_ratios", "holds too many trials");
  for (std::size_t i = 0; i < elements.size(); ++i) {
    FORGE_TRY(auto trial, read_trial(reader, i, elements[i], shapes));
    arm.log_ratios.push_back(std::move(trial));
  }
  return arm;
}

Result<JobBody> read_sweep(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"shapes", "incumbent", "arms"}));
  SweepResult body;
  FORGE_TRY(body.shapes, read_list(reader, "shapes", kMostRows, string_element));
  FORGE_TRY(const JsonReader incumbent, reader.object("incumbent"));
  FORGE_TRY(body.incumbent, outcome_from_json(incumbent));
  const auto read_one = [&](const JsonReader& arm) -> Result<SweepArm> {
    return read_sweep_arm(arm, body.shapes.size());
  };
  FORGE_TRY(body.arms, read_list(reader, "arms", kMostRows, read_one));
  return JobBody(std::move(body));
}

Result<std::pair<std::string, double>> read_metric(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"name", "value"}));
  std::pair<std::string, double> metric;
  FORGE_TRY(metric.first, reader.string("name"));
  FORGE_TRY(metric.second, read_number_or_word(reader, "value"));
  return metric;
}

Result<JobBody> read_plan(const JsonReader& reader) {
  FORGE_TRY_STATUS(
      reader.only_keys({"outcome", "device", "checked", "plan_digest", "explanation", "metrics"}));
  PlanResult body;
  FORGE_TRY(const JsonReader outcome, reader.object("outcome"));
  FORGE_TRY(body.outcome, outcome_from_json(outcome));
  FORGE_TRY(body.device, reader.string("device"));
  FORGE_TRY(body.checked, read_list(reader, "checked", kMostRows, string_element));
  FORGE_TRY(body.plan_digest, reader.string("plan_digest"));
  FORGE_TRY(body.explanation, reader.string("explanation"));
  FORGE_TRY(const auto metrics, read_list(reader, "metrics", kMostRows, read_metric));
  body.metrics.insert(metrics.begin(), metrics.end());
  return JobBody(std::move(body));
}

// By the variant's alternatives.
constexpr std::string_view kBodyNames[] = {"align", "baseline", "judge", "sweep", "plan"};

Result<JobBody> read_body(const JsonReader& parent) {
  FORGE_TRY(const std::string type, parent.string("type"));
  FORGE_TRY(const JsonReader reader, parent.object("body"));
  if (type == kBodyNames[0]) return read_align(reader);
  if (type == kBodyNames[1]) return read_baseline(reader);
  if (type == kBodyNames[2]) return read_judge(reader);
  if (type == kBodyNames[3]) return read_sweep(reader);
  if (type == kBodyNames[4]) return read_plan(reader);
  return parent.error("type", "must be 'align', 'baseline', 'judge', 'sweep' or 'plan'");
}

}  // namespace

Json to_json(const JobResult& result) {
  Json json = Json::object();
  json.set("version", kVersion);
  json.set("id", result.id);
  json.set("type", kBodyNames[result.body.index()]);
  json.set("body", std::visit([](const auto& body) { return body_json(body); }, result.body));
  json.set("machine", to_json(result.machine));
  json.set("arms", list_json(result.arms, arm_json));
  json.set("times", list_json(result.times, time_json));
  json.set("ceilings", list_json(result.ceilings, ceiling_json));
  json.set("oracle", result.oracle);
  json.set("compile_seconds", result.compile_seconds);
  json.set("oracle_seconds", result.oracle_seconds);
  json.set("measure_seconds", result.measure_seconds);
  json.set("output", result.output);
  return json;
}

Result<JobResult> result_from_json(const Json& json, std::string_view document) {
  const JsonReader reader(json, std::string(document));
  FORGE_TRY_STATUS(require_version(reader, kVersion));
  FORGE_TRY_STATUS(reader.only_keys({"version", "id", "type", "body", "machine", "arms", "times",
                                     "ceilings", "oracle", "compile_seconds", "oracle_seconds",
                                     "measure_seconds", "output"}));
  JobResult result;
  FORGE_TRY(result.id, safe_name(reader, "id"));
  FORGE_TRY(result.body, read_body(reader));
  FORGE_TRY(const JsonReader machine, reader.object("machine"));
  FORGE_TRY(result.machine, read_machine(machine));
  FORGE_TRY(result.arms, read_list(reader, "arms", kMostRows, read_arm));
  FORGE_TRY(result.times, read_list(reader, "times", kMostRows, read_time));
  FORGE_TRY(result.ceilings, read_list(reader, "ceilings", kMostRows, read_ceiling));
  FORGE_TRY(result.oracle, reader.string("oracle"));
  FORGE_TRY(result.compile_seconds, number_between(reader, "compile_seconds", 0, kMostSeconds));
  FORGE_TRY(result.oracle_seconds, number_between(reader, "oracle_seconds", 0, kMostSeconds));
  FORGE_TRY(result.measure_seconds, number_between(reader, "measure_seconds", 0, kMostSeconds));
  FORGE_TRY(result.output, reader.string("output"));
  return result;
}

}  // namespace forge
