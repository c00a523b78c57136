// What the timing protocol times: an arm, whatever stands behind it. May know: base, stats.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace forge {

enum class CacheState { kCold, kWarm };
std::string_view cache_name(CacheState cache);

// One call of an interval: a shape, and which of its contents to compute on. Contents are never
// used twice within the life of an arm's process.
struct Call {
  int shape = 0;
  int content = 0;
};

enum class FaultKind {
  kLaunchError,  // the kernel said so
  kTimeout,
  kCrash,
  kWrong,  // details stay with the arm
  kInputsModified,
  kRefused,         // it tried what kernels may not
  kInfrastructure,  // ours, not the kernel's
};

struct ArmFault {
  FaultKind kind = FaultKind::kInfrastructure;
  int shape = -1;      // -1: before the first call
  std::string reason;  // for a person; kInputsModified: the tensor
};

struct Nanoseconds {
  double value = 0;
};  // of a whole interval
using MeasureOutcome = std::variant<Nanoseconds, ArmFault>;

class Arm {
 public:
  virtual ~Arm() = default;
  virtual const std::string& label() const = 0;
  // A fresh process with fresh placement, stopped and ready.
  virtual std::optional<ArmFault> set_up(Random& random) = 0;
  // Puts contents into buffers, poisons outputs, brings the caches into the state asked for.
  virtual std::optional<ArmFault> prepare(const std::vector<Call>& calls, CacheState cache,
                                          Random& random) = 0;
  // Runs the prepared calls and stops the process again.
  virtual MeasureOutcome measure() = 0;
  // Checks every output of the calls just measured.
  virtual std::optional<ArmFault> verify() = 0;
  virtual void tear_down() = 0;
};

}  // namespace forge
