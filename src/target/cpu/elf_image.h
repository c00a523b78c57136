// What is in a shared object before anyone loads it, and the one change we make to it. Pure.
// May know: base.
//
// A candidate's constructors must not run before it is confined. So the measurer takes the
// initialisers out of the image (DT_INIT, DT_INIT_ARRAY) and gives their addresses to the runner,
// which calls them after it has given up everything; what can't be deferred is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"

namespace forge {

struct LoadableImage {
  std::vector<std::byte> bytes;               // initialisers disarmed
  std::vector<std::uint64_t> initialisers;    // offsets of the array slots to call, in order
  std::vector<std::string> needed;            // DT_NEEDED
};

// Refused: libraries outside libc, libm, libgcc_s, libstdc++, libgomp, libpthread, ld-linux; ifunc
// resolvers; executable stacks; text relocations; run paths, audit and filter entries; a missing
// forge_launch. `trusted` references may need any library.
enum class ImageTrust { kCandidate, kTrusted };
struct ImageRefused { std::string reason; };
std::variant<LoadableImage, ImageRefused> inspect_image(std::span<const std::byte> elf,
                                                   ImageTrust trust);

}  // namespace forge
