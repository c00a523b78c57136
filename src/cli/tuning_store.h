// What was measured of a kernel's values on this machine, kept from one `forge tune` to the next.
// May know: sys, search. Format: docs/formats/tuning.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "search/observation.h"
#include "search/space.h"
#include "sys/fs.h"

namespace forge {

// <cache>/tunings/<machine and problem>/<space>.jsonl
Path tuning_file(const Path& cache, const std::string& machine, const std::string& space);

// One job's findings. `origin`: what its ratios are relative to.
struct TuningRecord {
  std::map<std::string, std::string> origin;
  std::vector<Observation> observations;  // all of one job
};

class TuningStore {
 public:
  // kBusy: another process has it open, and the message says which. A torn last line, which a kill
  // leaves, is cut off; anything else that can't be read makes the whole file count as empty, since
  // it can be measured again.
  static Result<TuningStore> open(Fs& fs, const Path& file, std::string_view holder);

  const std::vector<TuningRecord>& records() const { return records_; }
  int last_job() const;
  // On disk when it returns.
  Status append(TuningRecord record);

 private:
  TuningStore(std::unique_ptr<FileLock> lock, std::vector<TuningRecord> records,
              std::unique_ptr<AppendFile> file)
      : lock_(std::move(lock)), records_(std::move(records)), file_(std::move(file)) {}

  std::unique_ptr<FileLock> lock_;
  std::vector<TuningRecord> records_;
  std::unique_ptr<AppendFile> file_;
};

// Everything, relative to `origin`. Records relative to other values are converted where they hold
// a measurement of `origin`, and left out where they don't.
std::vector<Observation> relative_to(const std::vector<TuningRecord>& records,
                                     const std::map<std::string, std::string>& origin);

// The best values that other kernels of the same problem had on this machine and that this space
// knows too, the best of each kernel first; at most `most`.
std::vector<Point> points_from_others(Fs& fs, const Path& file, const Space& space,
                                      std::size_t most);

}  // namespace forge
