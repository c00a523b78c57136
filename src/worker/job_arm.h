// An arm as a job sees it: what it has printed, and how much of it was verified. May know: bench.
#pragma once

#include <string>

#include "bench/arm.h"

namespace forge {

class JobArm : public Arm {
 public:
  // What all its processes have printed so far, clipped.
  virtual const std::string& output() const = 0;
  virtual int calls_verified() const = 0;
};

}  // namespace forge
