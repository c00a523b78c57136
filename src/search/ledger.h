// Observations sorted by point: what is known of each. Pure. May know: observation.h, space.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/observation.h"
#include "search/space.h"

namespace forge {

// The trials of a point in one job, [trial][shape], as times: log(its time / start's time).
struct JobTrials {
  int job = 0;
  std::vector<std::vector<double>> values;
};

struct PointEvidence {
  std::vector<JobTrials> jobs;
  bool failed = false;
  std::string artefact;
  // The point of the same program that is measured in its stead.
  std::optional<Point> original;
  int trials() const;
  double mean() const;  // over all trials and shapes; 0 without trials
};

class Ledger {
 public:
  // Observations outside the space are left out. The start is known without a measurement: it is
  // what the others are compared with. Of the points of one program one is measured; the others
  // are its twins.
  Ledger(const Space& space, const std::vector<Observation>& observations);

  const std::map<Point, PointEvidence>& points() const { return points_; }
  bool knows(const Point& point) const { return points_.contains(point); }
  // It was measured and is right.
  bool works(const Point& point) const;
  // Of a twin, the point that is measured in its stead; else the point.
  Point original(const Point& point) const;
  int measured() const { return static_cast<int>(points_.size()) - 1; }

 private:
  void find_twins(const Point& start);

  std::map<Point, PointEvidence> points_;
};

}  // namespace forge
