// Brings the L2 into a known state before a timed replay: a read of more memory than it holds, by
// the measurer's own code. The memory carries a pattern, which shows that no kernel kept anything
// in it. May know: base, gpu.h.
#pragma once

#include <optional>
#include <string>

#include "target/cuda/gpu.h"

namespace forge {

class Rotation {
 public:
  explicit Rotation(Gpu& gpu) : gpu_(gpu) {}
  // Loads rotate.ptx and takes the memory: more than three times the L2.
  Status open(const std::string& ptx);
  // A new pattern; the one before it is forgotten.
  Status renew(std::uint32_t key);
  // Reads all of it, on the stream.
  Status rotate();
  // Keeps the device busy and its caches as they are while the host enqueues what comes next.
  Status linger();
  // Whether every rotation since `renew` has found the pattern whole.
  Result<bool> is_whole();
  std::uint64_t bytes() const { return quads_ * kQuadBytes; }

 private:
  static constexpr std::uint64_t kQuadBytes = 16;
  Status launch(GpuFunction function, std::uint32_t blocks, const std::string& parameters);
  std::uint32_t all_blocks() const;

  Gpu& gpu_;
  GpuFunction fill_{};
  GpuFunction rotate_{};
  GpuFunction wait_{};
  DeviceAddress memory_ = 0;
  DeviceAddress changed_ = 0;  // a word of its own
  std::uint64_t quads_ = 0;
  std::uint32_t key_ = 0;
};

}  // namespace forge
