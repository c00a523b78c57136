#include <sys/random.h>

#include <cerrno>

#include "base/error.h"
#include "sys/clock.h"

namespace forge {
namespace {

class RealEntropy : public Entropy {
 public:
  std::uint64_t next() override {
    std::uint64_t value = 0;
    // Requests of up to 256 bytes are never cut short once the kernel's generator is ready.
    while (::getrandom(&value, sizeof value, 0) != sizeof value) FORGE_CHECK(errno == EINTR);
    return value;
  }
};

}  // namespace

std::unique_ptr<Entropy> make_real_entropy() { return std::make_unique<RealEntropy>(); }

}  // namespace forge
