#include "search/ledger.h"

namespace forge {
namespace {

JobTrials as_times(const Observation& observation) {
  JobTrials job{observation.job, observation.trials};
  for (auto& trial : job.values) {
    for (double& value : trial) value = -value;
  }
  return job;
}

}  // namespace

int PointEvidence::trials() const {
  std::size_t count = 0;
  for (const JobTrials& job : jobs) count += job.values.size();
  return static_cast<int>(count);
}

double PointEvidence::mean() const {
  double sum = 0;
  int count = 0;
  for (const JobTrials& job : jobs) {
    for (const auto& trial : job.values) {
      for (const double value : trial) {
        sum += value;
        ++count;
      }
    }
  }
  return count == 0 ? 0 : sum / count;
}

Ledger::Ledger(const Space& space, const std::vector<Observation>& observations) {
  const Point start = space.start();
  points_[start];
  for (const Observation& each : observations) {
    const auto point = space.point(each.settings);
    if (!point || *point == start) continue;
    PointEvidence& evidence = points_[*point];
    evidence.failed = !each.failure.empty();
    evidence.artefact = each.artefact;
    if (!each.trials.empty()) evidence.jobs.push_back(as_times(each));
  }
  find_twins(start);
}

bool Ledger::works(const Point& point) const {
  const auto found = points_.find(point);
  return found != points_.end() && !found->second.failed && !found->second.original;
}

Point Ledger::original(const Point& point) const {
  const auto found = points_.find(point);
  return found != points_.end() ? found->second.original.value_or(point) : point;
}

// A point without trials is the same program as one that has some, or else as the start.
void Ledger::find_twins(const Point& start) {
  std::map<std::string, Point> measured;
  for (const auto& [point, evidence] : points_) {
    if (!evidence.artefact.empty() && !evidence.jobs.empty()) measured[evidence.artefact] = point;
  }
  for (auto& [point, evidence] : points_) {
    if (point == start || evidence.failed || !evidence.jobs.empty()) continue;
    const auto twin = measured.find(evidence.artefact);
    evidence.original = twin != measured.end() ? twin->second : start;
  }
}

}  // namespace forge
