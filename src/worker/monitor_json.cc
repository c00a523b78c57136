#include "worker/monitor_json.h"

#include "worker/json_fields.h"

namespace forge {
namespace {

constexpr int kMostCases = 1'000'000;
constexpr std::size_t kMostFindings = 10'000;

Json stress_json(const StressFinding& finding) {
  Json json = Json::object();
  json.set("arm", finding.arm);
  json.set("inputs", stress_name(finding.stress));
  json.set("cases", finding.cases);
  json.set("agreeing", finding.agreeing);
  json.set("detail", finding.detail);
  return json;
}

Json repeat_json(const RepeatFinding& finding) {
  Json json = Json::object();
  json.set("arm", finding.arm);
  json.set("cases", finding.cases);
  json.set("identical", finding.identical);
  return json;
}

Result<StressFinding> read_stress(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"arm", "inputs", "cases", "agreeing", "detail"}));
  StressFinding finding;
  FORGE_TRY(finding.arm, safe_name(reader, "arm"));
  FORGE_TRY(const std::string name, reader.string("inputs"));
  const auto stress = parse_stress(name);
  if (!stress) return reader.error("inputs", "is no kind of stress inputs");
  finding.stress = *stress;
  FORGE_TRY(finding.cases, int_between(reader, "cases", 0, kMostCases));
  FORGE_TRY(finding.agreeing, int_between(reader, "agreeing", 0, finding.cases));
  FORGE_TRY(finding.detail, reader.string("detail"));
  return finding;
}

Result<RepeatFinding> read_repeat(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"arm", "cases", "identical"}));
  RepeatFinding finding;
  FORGE_TRY(finding.arm, safe_name(reader, "arm"));
  FORGE_TRY(finding.cases, int_between(reader, "cases", 0, kMostCases));
  FORGE_TRY(finding.identical, int_between(reader, "identical", 0, finding.cases));
  return finding;
}

}  // namespace

Json to_json(const MonitorFindings& findings) {
  Json json = Json::object();
  json.set("stresses", list_json(findings.stresses, stress_json));
  json.set("repeats", list_json(findings.repeats, repeat_json));
  json.set("notes", list_json(findings.notes));
  return json;
}

Result<MonitorFindings> monitor_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.only_keys({"stresses", "repeats", "notes"}));
  MonitorFindings findings;
  FORGE_TRY(findings.stresses, read_list(reader, "stresses", kMostFindings, read_stress));
  FORGE_TRY(findings.repeats, read_list(reader, "repeats", kMostFindings, read_repeat));
  FORGE_TRY(findings.notes, read_list(reader, "notes", kMostFindings, string_element));
  return findings;
}

}  // namespace forge
