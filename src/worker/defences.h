// What the measurer does against kernels that optimise the verdict, by name, so that a test can
// show what each is for by leaving it out. forge-worker always has them all: no option, variable or
// file of a user reaches this. May know: nothing.
#pragma once

#include <cstdint>

namespace forge {

enum class Defence : std::uint32_t {
  kConfinedRunner,       // no files, no network, an allow-list of system calls
  kImageInspection,      // ifuncs, odd libraries, exports; initialisers run after confinement
  kGatedStart,           // the pages excuse nothing once the kernel's code may have run
  kPoison,               // outputs are NaN before each call, arenas before each trial
  kEveryOutputVerified,  // in trials, too, and not in the check only
  kFreshContents,        // no content comes twice in a process's life
  kMovedBuffers,         // calls go to other slots each time
  kSample,               // some outputs are read the moment a call claims to be done
  kCanaries,             // what lies beside a buffer is unchanged
  kGuardPages,           // pages beside buffers can't be touched
  kUntouchedOutputs,     // outputs are as they were until the call is made
  kCountedWindow,        // work between being continued and being called is timed or refused
  kRest,                 // threads sleep when nothing is asked of them
};

class Defences {
 public:
  void leave_out(Defence defence) { left_out_ |= bit(defence); }
  bool has(Defence defence) const { return (left_out_ & bit(defence)) == 0; }

 private:
  static std::uint32_t bit(Defence defence) { return 1u << static_cast<std::uint32_t>(defence); }

  std::uint32_t left_out_ = 0;
};

}  // namespace forge
