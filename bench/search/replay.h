// A recorded space, measured again: true times from its table, noise from its recording.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "search/observation.h"
#include "search/space.h"
#include "sys/fs.h"

namespace forge {

struct RecordedSpace {
  std::string name;
  Space space;
  std::vector<Point> points;                       // that work
  std::map<Point, std::vector<double>> log_times;  // by shape, relative to the start
  std::map<Point, std::string> artefacts;          // equal ones are the same program
  std::vector<std::vector<double>> own_noise;      // of one trial of a configuration, by shape
  std::vector<std::vector<double>> shared_noise;   // of the start in a trial
  double best = 0;                                 // least mean log time

  double truth(const Point& point) const;  // mean over shapes
  // How much slower than the best, as a logarithm.
  double regret(const Point& point) const { return truth(point) - best; }
};

// What they cost: trials, and one for a configuration that fails or is the same program as another.
int looks_of(const std::vector<Observation>& observations);

Result<RecordedSpace> read_recorded_space(FileReader& fs, const Path& file);

enum class ReplayNoise { kNone, kRecorded };

// Plays the recorded values back; or measures as a sweep does: with noise, which candidates of one
// job share as far as it is that of each trial's start.
class Replay {
 public:
  Replay(const RecordedSpace& recorded, ReplayNoise noise, std::uint64_t seed)
      : recorded_(recorded), noise_(noise), random_(seed) {
    const Point start = recorded.space.start();
    measured_[recorded.artefacts.at(start)] = start;
  }
  std::vector<Observation> measure(const std::vector<SearchRequest>& requests);

 private:
  const RecordedSpace& recorded_;
  ReplayNoise noise_;
  Random random_;
  std::map<std::string, Point> measured_;  // by artefact: of its points the one that has trials
  int jobs_ = 0;
};

}  // namespace forge
