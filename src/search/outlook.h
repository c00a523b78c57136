// What is believed of a space's points, all shapes together: a surrogate for each class of shapes.
// Pure. May know: ledger.h, surrogate.h.
#pragma once

#include <cstddef>
#include <vector>

#include "search/ledger.h"
#include "search/surrogate.h"

namespace forge {

struct Belief {
  double mean = 0;  // of log(time / start's time), large values compressed
  double sd = 0;
};

// One class of shapes: the parameters that it sees and the surrogate of its mean time.
struct ShapeView {
  std::vector<std::size_t> parameters;
  std::vector<std::size_t> shapes;
  double weight = 1;  // share of all shapes
  Surrogate surrogate;
  Point project(const Point& point) const;
};

// Parameters by shape concern their class alone. So one measurement tells of all classes at once,
// and what is best for one is found whatever the others have.
class Outlook {
 public:
  Outlook(const Space& space, const Ledger& ledger);

  const std::vector<ShapeView>& views() const { return views_; }
  Belief belief(const Point& point) const;

 private:
  std::vector<ShapeView> views_;
};

// Beliefs of a fixed list of points, kept up to date as measurements are planned whose results are
// not known yet: they change no mean, but what is still uncertain.
class Forecast {
 public:
  Forecast(const Outlook& outlook, const std::vector<Point>& points);

  std::size_t size() const { return mean_.size(); }
  double mean(std::size_t point) const { return mean_[point]; }
  double sd(std::size_t point) const;
  // sd of the change that so many more trials would make to the point's mean.
  double expected_change(std::size_t point, int trials) const;
  // sd of what one point takes longer than another.
  double difference_sd(std::size_t a, std::size_t b) const;
  void plan(std::size_t point, int trials);

 private:
  struct View {
    const ShapeView* shapes;
    std::vector<Point> points;                // distinct projections
    std::vector<std::size_t> index;           // point -> its projection
    std::vector<std::vector<double>> solved;  // by projection: L⁻¹ k(samples, point), then plans
    std::vector<double> variance;
  };
  static View view_of(const ShapeView& shapes, const std::vector<Point>& points,
                      std::vector<double>& mean);
  static double covariance(const View& view, std::size_t a, std::size_t b);

  std::vector<View> views_;
  std::vector<double> mean_;
};

}  // namespace forge
