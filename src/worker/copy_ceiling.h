// The bandwidth that a plain copy reaches through the same path, on the same cores, in the same
// job: what memory-bound kernels are measured against. May know: everything below worker.
#pragma once

#include <memory>
#include <vector>

#include "worker/rounds.h"

namespace forge {

// Copies [work] bytes / 2 from one buffer to another, so that as many bytes move as the kernel must
// move at least. Two kernels, with ordinary and with streaming stores; the faster counts.
class CopyCeilings {
 public:
  // nullptr if the problem gives no [work] bytes.
  static Result<std::unique_ptr<CopyCeilings>> prepare(Session& session);

  Status run_trial(Random& random);
  std::vector<CopyCeiling> results() const;
  ~CopyCeilings();

 private:
  struct Parts;
  explicit CopyCeilings(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace forge
