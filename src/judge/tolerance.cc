#include "judge/tolerance.h"

#include <algorithm>
#include <cmath>

#include "judge/json_array.h"

namespace forge {

double tolerance_floor(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64:
      return 0x1p-52;
    case Dtype::kF32:
      return 0x1p-23;
    case Dtype::kF16:
      return 0x1p-10;
    case Dtype::kBf16:
      return 0x1p-7;
    case Dtype::kF8E4m3:
      return 0x1p-3;
    case Dtype::kF8E5m2:
      return 0x1p-2;
    case Dtype::kI64:
    case Dtype::kI32:
    case Dtype::kI16:
    case Dtype::kI8:
    case Dtype::kU8:
    case Dtype::kBool:
      return 0;
  }
  invariant_failed(__FILE__, __LINE__, "a known dtype");
}

double alignment_limit(Dtype dtype) {
  constexpr double kLargestUseful = 0.1;
  return is_float(dtype) ? std::max(kLargestUseful, tolerance_floor(dtype)) : 0;
}

double ToleranceTable::of(const CaseKind& kind) const {
  const auto found = allowed.find(kind);
  FORGE_CHECK(found != allowed.end());
  return found->second;
}

double calibrate(double reference_worst_error, Dtype dtype, const ToleranceOverride* override_) {
  if (!is_float(dtype)) return 0;
  constexpr double kDefaultFactor = 2;
  double factor = kDefaultFactor;
  double floor = tolerance_floor(dtype);
  if (override_ != nullptr) {
    factor = override_->factor.value_or(factor);
    floor = override_->floor.value_or(floor);
  }
  // A reference that is wrong without bound (NaN, infinity out of place) calibrates nothing.
  if (!std::isfinite(reference_worst_error)) return floor;
  return std::max(factor * reference_worst_error, floor);
}

Json to_json(const ToleranceTable& table) {
  Json rows = Json::array();
  for (const auto& [kind, allowed] : table.allowed) {
    Json row = Json::object();
    row.set("output", kind.output);
    row.set("shape", kind.shape);
    row.set("group", kind.group);
    row.set("allowed", allowed);
    rows.push_back(std::move(row));
  }
  Json json = Json::object();
  json.set("kinds", std::move(rows));
  return json;
}

Result<ToleranceTable> tolerance_from_json(const JsonReader& reader) {
  FORGE_TRY_STATUS(reader.require_object());
  FORGE_TRY_STATUS(reader.only_keys({"kinds"}));
  FORGE_TRY(const Json* kinds, reader.array("kinds"));
  ToleranceTable table;
  const Json::Array& rows = elements_of(kinds);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JsonReader row = reader.element("kinds", i, rows[i]);
    FORGE_TRY_STATUS(row.require_object());
    FORGE_TRY_STATUS(row.only_keys({"output", "shape", "group", "allowed"}));
    CaseKind kind;
    FORGE_TRY(kind.output, row.string("output"));
    FORGE_TRY(kind.shape, row.string("shape"));
    FORGE_TRY(kind.group, row.string("group"));
    FORGE_TRY(const double allowed, row.number("allowed"));
    if (!(allowed >= 0)) return row.error("allowed", "a tolerance can't be negative");
    if (!table.allowed.emplace(std::move(kind), allowed).second) {
      return row.error("output", "this output, shape and group appear twice");
    }
  }
  return table;
}

}  // namespace forge
