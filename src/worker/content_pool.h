// The contents that arms compute on: inputs and expected outputs, mapped once a job. May know:
// base, sys, problem, judge.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/schedule.h"
#include "judge/compare.h"
#include "judge/oracle.h"
#include "problem/instance.h"
#include "sys/mapped_file.h"
#include "worker/arena.h"
#include "worker/defences.h"

namespace forge {

// What the oracle expects of one output.
struct ExpectedOutput {
  std::size_t tensor = 0;  // index into Instance::tensors
  MappedFile values;
  RowScales scales;  // floats only
};

struct Content {
  int group = 0;
  std::uint64_t seed = 0;
  CaseFiles files;
  std::vector<MappedFile> initial;  // tensor by tensor; empty for outputs and absent ones
  std::vector<ExpectedOutput> expected;
};

// Maps a case's tensors into `content`.
Status map_files(const Instance& instance, CaseFiles files, Content& content);

// The instances of every shape of a problem; hidden shapes come last.
struct ProblemShapes {
  std::vector<std::string> names;
  std::vector<ShapeInstances> instances;
  std::size_t public_count = 0;
};
Result<ProblemShapes> all_shapes(const Problem& problem);

class ContentPool {
 public:
  // References must outlive the pool. `seeds` must not be empty.
  ContentPool(const ProblemShapes& shapes, std::vector<std::uint64_t> seeds, Oracle& oracle,
              Defences defences = {});

  // Makes sure that a shape has at least `count` contents, groups taking turns. More contents than
  // seeds × groups use seeds derived from the given ones, so that a cache can serve them again.
  Status require(std::size_t shape, int count);

  // Takes in a case that was made otherwise; its index.
  int adopt(std::size_t shape, Content content);

  const Content& content(std::size_t shape, int index) const;
  const Instance& instance(std::size_t shape, int index) const;
  // For the schedule: group of each content.
  ShapeContents describe(std::size_t shape) const;
  const ProblemShapes& shapes() const { return *shapes_; }

 private:
  Result<Content> make(std::size_t shape, int index);

  const ProblemShapes* shapes_;
  std::vector<std::uint64_t> seeds_;
  Oracle* oracle_;
  Defences defences_;
  std::vector<std::vector<Content>> contents_;
};

}  // namespace forge
