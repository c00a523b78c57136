#include "search/outlook.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace forge {
namespace {

// Beyond the best so far, differences count less and less: a point that is three times as slow says
// little about where the last per cents are.
constexpr double kKnee = 0.2;

struct Compression {
  double knee_at = 0;
  double operator()(double value) const {
    const double beyond = value - knee_at;
    return beyond <= 0 ? value : knee_at + kKnee * std::log1p(beyond / kKnee);
  }
  double slope(double value) const {
    const double beyond = value - knee_at;
    return beyond <= 0 ? 1 : 1 / (1 + beyond / kKnee);
  }
};

double mean_over(const JobTrials& job, const std::vector<std::size_t>& shapes) {
  double sum = 0;
  for (const auto& trial : job.values) {
    for (const std::size_t shape : shapes) sum += shape < trial.size() ? trial[shape] : 0;
  }
  return sum / static_cast<double>(job.values.size() * shapes.size());
}

// As good as exact: the start is what all others are compared with.
constexpr int kTrialsOfStart = 1'000'000;

std::vector<Sample> samples_of(const ShapeView& view, const Point& start, const Ledger& ledger) {
  std::vector<Sample> samples = {{view.project(start), 0, kTrialsOfStart, -1, 1}};
  Compression compression;
  for (const auto& [point, evidence] : ledger.points()) {
    for (const JobTrials& job : evidence.jobs) {
      const double value = mean_over(job, view.shapes);
      samples.push_back(
          {view.project(point), value, static_cast<int>(job.values.size()), job.job, 1});
      compression.knee_at = std::min(compression.knee_at, value);
    }
  }
  for (Sample& sample : samples) {
    sample.slope = compression.slope(sample.value);
    sample.value = compression(sample.value);
  }
  return samples;
}

std::vector<int> classes_of(const Space& space) {
  const bool by_shape =
      std::any_of(space.parameters.begin(), space.parameters.end(), [](const Parameter& parameter) {
        return parameter.shape_class != kEveryShape && parameter.values.size() > 1;
      });
  if (!by_shape) return {kEveryShape};
  std::vector<int> classes = space.shape_classes;
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

}  // namespace

Point ShapeView::project(const Point& point) const {
  Point projected;
  for (const std::size_t parameter : parameters) projected.push_back(point[parameter]);
  return projected;
}

Outlook::Outlook(const Space& space, const Ledger& ledger) {
  for (const int shape_class : classes_of(space)) {
    ShapeView view{{}, {}, 1, Surrogate({}, {})};
    std::vector<Parameter> parameters;
    for (std::size_t p = 0; p < space.parameters.size(); ++p) {
      const Parameter& parameter = space.parameters[p];
      const bool seen = parameter.shape_class == kEveryShape || shape_class == kEveryShape ||
                        parameter.shape_class == shape_class;
      if (!seen || parameter.values.size() < 2) continue;
      view.parameters.push_back(p);
      parameters.push_back(parameter);
    }
    for (std::size_t s = 0; s < space.shape_classes.size(); ++s) {
      if (shape_class == kEveryShape || space.shape_classes[s] == shape_class) {
        view.shapes.push_back(s);
      }
    }
    view.weight =
        static_cast<double>(view.shapes.size()) / static_cast<double>(space.shape_classes.size());
    view.surrogate = Surrogate(std::move(parameters), samples_of(view, space.start(), ledger));
    view.surrogate.fit();
    views_.push_back(std::move(view));
  }
}

Belief Outlook::belief(const Point& point) const {
  const Forecast forecast(*this, {point});
  return {forecast.mean(0), forecast.sd(0)};
}

Forecast::View Forecast::view_of(const ShapeView& shapes, const std::vector<Point>& points,
                                 std::vector<double>& mean) {
  View view{&shapes, {}, {}, {}, {}};
  std::vector<double> means;
  std::map<Point, std::size_t> known;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point projected = shapes.project(points[i]);
    const auto [entry, added] = known.emplace(projected, view.points.size());
    if (added) {
      view.points.push_back(projected);
      view.solved.push_back(shapes.surrogate.half_solved(projected));
      means.push_back(shapes.surrogate.mean(view.solved.back()));
      view.variance.push_back(std::max(covariance(view, entry->second, entry->second), 0.0));
    }
    view.index.push_back(entry->second);
    mean[i] += shapes.weight * means[entry->second];
  }
  return view;
}

Forecast::Forecast(const Outlook& outlook, const std::vector<Point>& points)
    : mean_(points.size(), 0.0) {
  for (const ShapeView& view : outlook.views()) views_.push_back(view_of(view, points, mean_));
}

double Forecast::covariance(const View& view, std::size_t a, std::size_t b) {
  const auto& left = view.solved[a];
  const auto& right = view.solved[b];
  return view.shapes->surrogate.kernel(view.points[a], view.points[b]) -
         std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

double Forecast::sd(std::size_t point) const {
  double variance = 0;
  for (const View& view : views_) {
    variance += view.shapes->weight * view.shapes->weight * view.variance[view.index[point]];
  }
  return std::sqrt(variance);
}

double Forecast::difference_sd(std::size_t a, std::size_t b) const {
  double variance = 0;
  for (const View& view : views_) {
    const std::size_t left = view.index[a];
    const std::size_t right = view.index[b];
    variance += view.shapes->weight * view.shapes->weight *
                (view.variance[left] + view.variance[right] - 2 * covariance(view, left, right));
  }
  return std::sqrt(std::max(variance, 0.0));
}

double Forecast::expected_change(std::size_t point, int trials) const {
  double variance = 0;
  for (const View& view : views_) {
    const double own = view.variance[view.index[point]];
    const double noise = view.shapes->surrogate.noise_variance(trials);
    variance += view.shapes->weight * view.shapes->weight * own * own / (own + noise);
  }
  return std::sqrt(variance);
}

void Forecast::plan(std::size_t point, int trials) {
  for (View& view : views_) {
    const std::size_t planned = view.index[point];
    const double total =
        std::sqrt(view.variance[planned] + view.shapes->surrogate.noise_variance(trials));
    std::vector<double> shared;
    for (std::size_t i = 0; i < view.points.size(); ++i) {
      shared.push_back(covariance(view, i, planned) / total);
    }
    for (std::size_t i = 0; i < view.points.size(); ++i) {
      view.variance[i] = std::max(view.variance[i] - shared[i] * shared[i], 0.0);
      view.solved[i].push_back(shared[i]);
    }
  }
}

}  // namespace forge
