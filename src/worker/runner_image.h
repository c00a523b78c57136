// The forge-runner executable, carried inside forge-worker (see runner_image.S).
#pragma once

#include <cstddef>
#include <span>

namespace forge {

std::span<const std::byte> runner_image();

}  // namespace forge
