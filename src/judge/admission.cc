#include "judge/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "judge/json_array.h"

namespace forge {
namespace {

struct Count {
  int caught = 0;
  int survived = 0;
  int same = 0;
  std::set<std::string> blind_groups;  // where it survived
};

using Key = std::tuple<std::string, std::string, Mutant>;  // output, shape

std::map<Key, Count> counted(const std::vector<MutantFinding>& findings) {
  std::map<Key, Count> counts;
  for (const MutantFinding& finding : findings) {
    Count& count = counts[{finding.kind.output, finding.kind.shape, finding.mutant}];
    count.caught += finding.fate == Fate::kCaught ? 1 : 0;
    count.same += finding.fate == Fate::kSame ? 1 : 0;
    if (finding.fate != Fate::kSurvived) continue;
    ++count.survived;
    count.blind_groups.insert(finding.kind.group);
  }
  return counts;
}

// A right answer that a kernel can give without computing it.
bool is_no_answer(MutantKind kind) {
  return kind == MutantKind::kUnwritten || kind == MutantKind::kZeros ||
         kind == MutantKind::kOnes || kind == MutantKind::kOtherCase;
}

// A custom comparison may leave places out that the description gives no meaning. Most it may not.
bool finds_enough_elements(const Count& count) {
  return 4 * count.caught >= count.caught + count.survived;
}

std::string quoted(const std::set<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back("'" + name + "'");
  return join(list, ", ");
}

void weigh_one(const Key& key, const Count& count, const AdmissionEvidence& evidence,
               Admission& result) {
  const auto& [output, shape, mutant] = key;
  const std::string where = fmt::format("output '{}' of shape '{}'", output, shape);
  const bool allowed = mutant.kind == MutantKind::kNarrower && evidence.overridden.contains(output);
  if (mutant.kind == MutantKind::kOneElement && !finds_enough_elements(count)) {
    result.refusals.push_back(fmt::format("{}: {} of {} single wrong elements pass", where,
                                          count.survived, count.caught + count.survived));
  } else if (count.caught == 0 && count.survived == 0 && is_no_answer(mutant.kind)) {
    result.refusals.push_back(
        fmt::format("{} is rightly {} in every group", where, describe(mutant)));
  } else if (count.caught == 0 && count.survived > 0 && !allowed) {
    result.refusals.push_back(
        fmt::format("{} passes in every group when it is {}", where, describe(mutant)));
  } else if (count.survived > 0) {
    result.notes.push_back(fmt::format("{} passes in group {} when it is {}", where,
                                       quoted(count.blind_groups), describe(mutant)));
  }
}

// Saturated: no error of precision shows in an answer of zeros and ones.
void weigh_values(const AdmissionEvidence& evidence, Admission& result) {
  std::map<std::pair<std::string, std::string>, int> most;
  for (const ValuesFinding& finding : evidence.values) {
    int& distinct = most[{finding.kind.output, finding.kind.shape}];
    distinct = std::max(distinct, finding.distinct);
  }
  for (const auto& [where, distinct] : most) {
    if (distinct > kHandful) continue;
    auto& lines = evidence.overridden.contains(where.first) ? result.notes : result.refusals;
    lines.push_back(
        fmt::format("output '{}' of shape '{}' takes at most {} different values in every group, "
                    "so that no loss "
                    "of precision shows: are its inputs too large?",
                    where.first, where.second, distinct));
  }
}

void weigh_inputs(const AdmissionEvidence& evidence, Admission& result) {
  for (const InfluenceFinding& input : evidence.inputs) {
    if (input.influence == Influence::kConstant) {
      result.refusals.push_back(fmt::format(
          "input '{}' is the same in every case: a kernel that never reads it passes", input.name));
    } else if (input.influence == Influence::kUnseen) {
      result.refusals.push_back(
          fmt::format("input '{}' has no influence that can be seen: exchanged for another case's, "
                      "every output "
                      "still passes",
                      input.name));
    } else if (input.influence == Influence::kUnknown) {
      result.notes.push_back(fmt::format(
          "whether input '{}' has any influence can't be told: the oracle does not take "
          "it with the other inputs of another case ({})",
          input.name, input.why));
    }
  }
  // Legal values of a scalar are not known, and some are mere hints (the longest of the lengths).
  for (const InfluenceFinding& scalar : evidence.scalars) {
    if (scalar.influence != Influence::kUnseen) continue;
    result.notes.push_back(
        fmt::format("scalar '{}' has no influence that can be seen: doubled, every output still "
                    "passes",
                    scalar.name));
  }
}

void weigh_groups(const AdmissionEvidence& evidence, Admission& result) {
  std::map<std::pair<std::string, std::string>, bool> pairs;  // true: alike wherever it can be told
  bool told = false;
  bool all_alike = true;
  for (const LikenessFinding& finding : evidence.groups) {
    if (finding.likeness == Likeness::kUnknown) continue;
    told = true;
    const bool alike = finding.likeness == Likeness::kAlike;
    all_alike = all_alike && alike;
    const auto [entry, is_new] = pairs.try_emplace({finding.group, finding.other}, alike);
    entry->second = entry->second && alike;
  }
  if (told && all_alike) {
    result.refusals.emplace_back(
        "its input groups are one group under several names: their inputs have the same "
        "distribution in every shape");
    return;
  }
  for (const auto& [names, alike] : pairs) {
    if (!alike) continue;
    result.notes.push_back(
        fmt::format("groups '{}' and '{}' have inputs of the same distribution in every shape",
                    names.first, names.second));
  }
}

}  // namespace

Admission decide_admission(const AdmissionEvidence& evidence) {
  Admission result;
  for (const RightRefused& right : evidence.right) {
    result.refusals.push_back(fmt::format(
        "output '{}' of shape '{}', group '{}': the oracle's own answer, rounded to the output's "
        "type, is refused ({})",
        right.kind.output, right.kind.shape, right.kind.group, right.why));
  }
  for (const NoAnswer& one : evidence.no_answers) {
    result.refusals.push_back(fmt::format(
        "compare() of output '{}' does not answer for shape '{}', group '{}', when it is "
        "{}: {}",
        one.kind.output, one.kind.shape, one.kind.group, describe(one.mutant), one.why));
  }
  for (const auto& [key, count] : counted(evidence.mutants)) {
    result.tried += count.caught + count.survived;
    result.caught += count.caught;
    weigh_one(key, count, evidence, result);
  }
  weigh_values(evidence, result);
  weigh_inputs(evidence, result);
  weigh_groups(evidence, result);
  return result;
}

Error not_admitted(const std::string& problem, const Admission& admission) {
  FORGE_CHECK(!admission.refusals.empty());
  return Error{ErrorKind::kInvalidInput, "cannot admit the judge of", problem,
               "it does not tell right from wrong: " + join(admission.refusals, "; "),
               "correct the oracle, its input groups or [tolerance] (see docs/formats/judge.md)"};
}

namespace {

Json list_of(const std::vector<std::string>& lines) {
  Json json = Json::array();
  for (const std::string& line : lines) json.push_back(line);
  return json;
}

Result<std::vector<std::string>> lines_from(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(const Json* array, reader.array(key));
  std::vector<std::string> lines;
  for (const Json& element : elements_of(array)) {
    const std::string* line = element.as_string();
    if (line == nullptr) return reader.error(key, "must hold strings only");
    lines.push_back(*line);
  }
  return lines;
}

}  // namespace

Json to_json(const Admission& admission) {
  Json json = Json::object();
  json.set("tried", admission.tried);
  json.set("caught", admission.caught);
  json.set("refusals", list_of(admission.refusals));
  json.set("notes", list_of(admission.notes));
  return json;
}

Result<Admission> admission_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys({"tried", "caught", "refusals", "notes"}));
  Admission admission;
  FORGE_TRY(const std::int64_t tried, reader.integer("tried"));
  FORGE_TRY(const std::int64_t caught, reader.integer("caught"));
  admission.tried = static_cast<int>(tried);
  admission.caught = static_cast<int>(caught);
  FORGE_TRY(admission.refusals, lines_from(reader, "refusals"));
  FORGE_TRY(admission.notes, lines_from(reader, "notes"));
  return admission;
}

}  // namespace forge
