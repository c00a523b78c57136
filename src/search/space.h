// What can be chosen of a kernel: parameters with their values, and which combinations are legal.
// Pure. May know: base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/condition.h"

namespace forge {

// structure: which kernel it is; tuning: how the same kernel is sized.
enum class ParameterKind { kStructure, kTuning };

// Every class of shapes sees the parameter.
inline constexpr int kEveryShape = -1;

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::kTuning;
  std::vector<std::string> values;
  std::size_t start = 0;          // the value to begin from
  int shape_class = kEveryShape;  // else: only shapes of this class see it
};

// The index of a value of each parameter.
using Point = std::vector<std::uint16_t>;

struct Space {
  std::vector<Parameter> parameters;
  std::vector<Condition> requirements;
  // The class of each shape that is measured, in the order of the measurements.
  std::vector<int> shape_classes = {0};

  Point start() const;
  // Values of parameters by name.
  std::map<std::string, std::string> settings(const Point& point) const;
  // Nothing if a name is missing or a value is not declared.
  std::optional<Point> point(const std::map<std::string, std::string>& settings) const;
  // A requirement that can't be evaluated forbids nothing: the compiler will say.
  bool allows(const Point& point) const;
  // Combinations, legal or not; at most 2^53.
  double combinations() const;
  // All legal points in order; nothing if there are more than `most`.
  std::optional<std::vector<Point>> points(std::size_t most) const;
};

// The values' places from 0 to 1 in the order of their numbers if the parameter is a scale, that
// is, a size whose values are at least three numbers; else nothing: the values are names.
std::optional<std::vector<double>> scale_of(const Parameter& parameter);

}  // namespace forge
