#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "worker/admit.h"
#include "worker/jobs.h"
#include "worker/rounds.h"

namespace forge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const ToleranceOverride* override_of(const Problem& problem, const std::string& output) {
  for (const ToleranceOverride& one : problem.tolerance) {
    if (one.output == output) return &one;
  }
  return nullptr;
}

Dtype dtype_of(const Problem& problem, const std::string& output) {
  const TensorParam* tensor = problem.signature.find_tensor(output);
  FORGE_CHECK(tensor != nullptr);
  return tensor->dtype;
}

// The worst over all references: each is trusted, and a right kernel may err as any of them does.
double worst_over_references(const std::vector<AlignmentRow>& rows, const CaseKind& kind) {
  double worst = 0;
  for (const AlignmentRow& row : rows) {
    if (row.kind == kind) worst = std::max(worst, row.worst_error);
  }
  return worst;
}

std::string describe_mismatch(const AlignmentRow& row, double limit, const std::string& detail) {
  if (!detail.empty()) {
    return fmt::format("{}: output '{}' of shape '{}', group '{}': the oracle says: {}",
                       row.reference, row.kind.output, row.kind.shape, row.kind.group, detail);
  }
  std::vector<std::string> index;
  for (const std::int64_t i : row.index) index.push_back(std::to_string(i));
  return fmt::format(
      "{}: output '{}' of shape '{}', group '{}' at [{}]: the oracle says {}, the reference "
      "{} (error {:.3g}, at most {:.3g} could be rounding)",
      row.reference, row.kind.output, row.kind.shape, row.kind.group, join(index, ", "),
      number_text(row.expected), number_text(row.got), row.worst_error, limit);
}

Status align_reference(Session& session, const ArmSpec& spec, Random& random, AlignResult& result) {
  FORGE_TRY(auto prepared, session.prepare_arm(spec));
  FORGE_CHECK(std::holds_alternative<PreparedArm>(prepared));
  // Everything is allowed here and remembered: the reference sets the tolerance.
  const auto checker = session.make_checker(kInfinity);
  const auto arm = session.make_arm(std::get<PreparedArm>(prepared), *checker);
  const CheckFinding finding = check_arm(session, *arm, random);
  session.result().output += arm->output();
  if (finding.fault && finding.fault->kind != FaultKind::kWrong) {
    return arm_failed(spec.label, *finding.fault, *checker, session.shapes());
  }
  for (const auto& [kind, worst] : checker->worst()) {
    AlignmentRow row{kind,
                     spec.label,
                     worst.compared.worst_error,
                     0,
                     worst.index,
                     worst.compared.worst_expected,
                     worst.compared.worst_got};
    // A custom comparison has its own scale and allows at most 1.
    const double limit = checker->uses_custom_comparison(kind.output)
                             ? 1
                             : alignment_limit(dtype_of(session.problem(), kind.output));
    if (!(row.worst_error <= limit)) {
      if (!result.mismatch.empty()) result.mismatch += "\n";
      result.mismatch += describe_mismatch(row, limit, worst.detail);
    }
    result.rows.push_back(std::move(row));
  }
  return {};
}

// A tolerance that came with the problem must say something about exactly the kinds of case that
// there are; it then takes the place of the calibrated one.
Status take_given_tolerance(Session& session, AlignResult& result) {
  const std::string& given = session.problem().judge.tolerance;
  if (given.empty()) return {};
  const Path path = session.problem_folder() / given;
  FORGE_TRY(const std::string text, session.context().fs->read(path));
  FORGE_TRY(const Json json, parse_json(text, given));
  FORGE_TRY(const ToleranceTable table, tolerance_from_json(JsonReader(json, given)));
  const auto same_kind = [](const auto& left, const auto& right) {
    return left.first == right.first;
  };
  if (!std::equal(table.allowed.begin(), table.allowed.end(), result.tolerance.allowed.begin(),
                  result.tolerance.allowed.end(), same_kind)) {
    return Error{ErrorKind::kInvalidInput, "cannot use", given,
                 "its outputs, shapes and groups are not those of the problem",
                 "remove 'tolerance' from [judge]: one is then calibrated"};
  }
  result.tolerance = table;
  for (AlignmentRow& row : result.rows) row.allowed = table.of(row.kind);
  return {};
}

}  // namespace

Status run_align(Session& session) {
  Random random(session.job().seeds.front(), "align");
  for (std::size_t shape = 0; shape < session.shapes().names.size(); ++shape) {
    FORGE_TRY_STATUS(session.require_contents(shape, session.contents_to_calibrate(shape)));
  }
  FORGE_TRY_STATUS(session.reserve_arenas(1));
  AlignResult result;
  for (const ArmSpec& spec : session.job().arms) {
    FORGE_TRY_STATUS(align_reference(session, spec, random, result));
  }
  for (AlignmentRow& row : result.rows) {
    row.allowed = calibrate(worst_over_references(result.rows, row.kind),
                            dtype_of(session.problem(), row.kind.output),
                            override_of(session.problem(), row.kind.output));
    result.tolerance.allowed[row.kind] = row.allowed;
  }
  FORGE_TRY_STATUS(take_given_tolerance(session, result));
  if (result.mismatch.empty()) {
    FORGE_TRY(result.admission, admit_judge(session, result.tolerance));
  }
  session.result().body = std::move(result);
  return {};
}

}  // namespace forge
