#include "search/space.h"

#include <algorithm>
#include <numeric>

namespace forge {
namespace {

Truth evaluate(const Condition& condition, const std::vector<Parameter>& parameters,
               const Point& point) {
  return condition.evaluate([&](std::string_view name) -> std::optional<std::string> {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name == name) return parameters[i].values[point[i]];
    }
    return std::nullopt;
  });
}

// The last parameter that a condition needs, so that it is checked as soon as it can be.
std::size_t last_parameter(const Condition& condition, const std::vector<Parameter>& parameters) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& names = condition.names();
    if (std::find(names.begin(), names.end(), parameters[i].name) != names.end()) last = i;
  }
  return last;
}

class Walk {
 public:
  Walk(const Space& space, std::size_t most) : space_(space), most_(most) {
    for (const Condition& condition : space.requirements) {
      checked_at_.push_back(last_parameter(condition, space.parameters));
    }
  }

  std::optional<std::vector<Point>> walk() {
    Point point(space_.parameters.size(), 0);
    if (!descend(point, 0)) return std::nullopt;
    return std::move(found_);
  }

 private:
  // False once there are too many.
  bool descend(Point& point, std::size_t depth) {
    if (depth == point.size()) {
      found_.push_back(point);
      return found_.size() <= most_;
    }
    for (std::size_t value = 0; value < space_.parameters[depth].values.size(); ++value) {
      point[depth] = static_cast<std::uint16_t>(value);
      if (allowed_so_far(point, depth) && !descend(point, depth + 1)) return false;
    }
    point[depth] = 0;
    return true;
  }

  bool allowed_so_far(const Point& point, std::size_t depth) const {
    for (std::size_t i = 0; i < space_.requirements.size(); ++i) {
      if (checked_at_[i] != depth) continue;
      if (evaluate(space_.requirements[i], space_.parameters, point) == Truth::kFalse) return false;
    }
    return true;
  }

  const Space& space_;
  std::size_t most_;
  std::vector<std::size_t> checked_at_;
  std::vector<Point> found_;
};

}  // namespace

Point Space::start() const {
  Point point;
  for (const Parameter& parameter : parameters) {
    point.push_back(static_cast<std::uint16_t>(parameter.start));
  }
  return point;
}

std::map<std::string, std::string> Space::settings(const Point& point) const {
  std::map<std::string, std::string> settings;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    settings[parameters[i].name] = parameters[i].values[point[i]];
  }
  return settings;
}

std::optional<Point> Space::point(const std::map<std::string, std::string>& settings) const {
  Point point;
  for (const Parameter& parameter : parameters) {
    const auto setting = settings.find(parameter.name);
    if (setting == settings.end()) return std::nullopt;
    const auto& values = parameter.values;
    const auto value = std::find(values.begin(), values.end(), setting->second);
    if (value == values.end()) return std::nullopt;
    point.push_back(static_cast<std::uint16_t>(value - values.begin()));
  }
  return point;
}

bool Space::allows(const Point& point) const {
  return std::all_of(requirements.begin(), requirements.end(), [&](const Condition& condition) {
    return evaluate(condition, parameters, point) != Truth::kFalse;
  });
}

double Space::combinations() const {
  constexpr double kMost = 9007199254740992.0;
  double count = 1;
  for (const Parameter& parameter : parameters) {
    count = std::min(count * static_cast<double>(parameter.values.size()), kMost);
  }
  return count;
}

std::optional<std::vector<Point>> Space::points(std::size_t most) const {
  return Walk(*this, most).walk();
}

std::optional<std::vector<double>> scale_of(const Parameter& parameter) {
  const auto count = parameter.values.size();
  if (parameter.kind != ParameterKind::kTuning || count < 3) return std::nullopt;
  std::vector<double> numbers;
  for (const std::string& value : parameter.values) {
    const auto number = literal_number(value);
    if (!number || value == "true" || value == "false") return std::nullopt;
    numbers.push_back(*number);
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<double> places(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    places[order[rank]] = static_cast<double>(rank) / static_cast<double>(count - 1);
  }
  return places;
}

}  // namespace forge
