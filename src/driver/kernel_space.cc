#include "driver/kernel_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "run/paths.h"

namespace forge {
namespace {

Result<int> class_of(const ShapeSpec& shape, const std::vector<std::string>& conditions) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto condition = Condition::parse(conditions[i]);
    Truth truth = Truth::kUnknown;
    if (condition) {
      truth = condition->evaluate([&](std::string_view name) -> std::optional<std::string> {
        constexpr std::string_view kPrefix = "dims.";
        if (!name.starts_with(kPrefix)) return std::nullopt;
        const auto dim = shape.dims.find(name.substr(kPrefix.size()));
        if (dim == shape.dims.end()) return std::nullopt;
        return std::to_string(dim->second);
      });
    }
    if (truth == Truth::kTrue) return static_cast<int>(i);
    if (truth == Truth::kUnknown) {
      return Error{ErrorKind::kInvalidInput, "cannot tell", "the class of shape " + shape.name,
                   fmt::format("the condition '{}' of FORGE_SHAPES can't be read", conditions[i]),
                   "compare dims.<name> with numbers"};
    }
  }
  return static_cast<int>(conditions.size());
}

Parameter parameter_of(const Tunable& tunable) {
  Parameter parameter;
  parameter.name = tunable.name;
  parameter.kind =
      tunable.kind == TunableKind::kStructure ? ParameterKind::kStructure : ParameterKind::kTuning;
  parameter.values = tunable.values;
  const auto start = std::find(tunable.values.begin(), tunable.values.end(), tunable.default_value);
  parameter.start = static_cast<std::size_t>(start - tunable.values.begin());
  parameter.shape_class = tunable.shape_class < 0 ? kEveryShape : tunable.shape_class;
  return parameter;
}

}  // namespace

Result<Space> kernel_space(const KernelChoices& choices, const Problem& problem) {
  Space space;
  space.shape_classes.clear();
  for (const ShapeSpec& shape : problem.shapes) {
    FORGE_TRY(const int shape_class, class_of(shape, choices.shape_conditions));
    space.shape_classes.push_back(shape_class);
  }
  for (const Tunable& tunable : choices.tunables) {
    Parameter parameter = parameter_of(tunable);
    const auto& classes = space.shape_classes;
    const bool seen =
        parameter.shape_class == kEveryShape ||
        std::find(classes.begin(), classes.end(), parameter.shape_class) != classes.end();
    if (!seen) {
      parameter.values = {tunable.default_value};
      parameter.start = 0;
    }
    space.parameters.push_back(std::move(parameter));
  }
  for (const std::string& text : choices.requirements) {
    if (auto condition = Condition::parse(text))
      space.requirements.push_back(std::move(*condition));
  }
  return space;
}

std::string space_digest(std::string_view kernel, const KernelChoices& choices) {
  return digest_of(without_defaults(kernel, choices.tunables)).hex;
}

}  // namespace forge
