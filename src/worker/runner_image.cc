#include "worker/runner_image.h"

extern "C" const std::byte forge_runner_image_begin[];
extern "C" const std::byte forge_runner_image_end[];

namespace forge {

std::span<const std::byte> runner_image() {
  return {forge_runner_image_begin, forge_runner_image_end};
}

}  // namespace forge
