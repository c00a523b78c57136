// What is in a shared object before anyone loads it, and the one change we make to it. Pure.
// May know: base.
//
// A candidate's constructors must not run before it is confined. So the measurer takes the
// initialisers out of the image (DT_INIT, DT_INIT_ARRAY) and gives their addresses to the runner,
// which calls them after it has given up everything; what can't be deferred is refused.
//
// Each slot of DT_INIT_ARRAY holds, once loaded, the address of a `void(int, char**, char**)`; all
// are called in order, those of GCC's own crtbegin (frame_dummy) too. DT_INIT is dropped and not
// handed on: in what GCC emits it only calls the profiler's __gmon_start__, and code that an author
// puts into .init by hand never runs. Finalisers are dropped as well: runners end by being killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace forge {

struct LoadableImage {
  std::vector<std::byte> bytes;  // initialisers disarmed
  // Of the slots to call, in order, relative to the load bias (link_map::l_addr). Empty if trusted:
  // then the loader calls them.
  std::vector<std::uint64_t> initialisers;
  std::vector<std::string> needed;  // DT_NEEDED
};

// What a candidate may need, by exact name; a runner that preloads these can load every candidate.
std::span<const std::string_view> candidate_libraries();

// Refused: libraries outside candidate_libraries(); ifunc resolvers; executable stacks; writable
// code; text relocations; run paths, audit and filter entries; exported names besides forge_launch
// and forge_workspace; a missing forge_launch. Of a trusted reference only malformed files and a
// missing forge_launch are.
// kCudaCandidate may need the recording runtime (libforge_cuda.so) besides.
enum class ImageTrust { kCandidate, kCudaCandidate, kTrusted };
struct ImageRefused {
  std::string reason;
};
std::variant<LoadableImage, ImageRefused> inspect_image(std::span<const std::byte> elf,
                                                        ImageTrust trust);

}  // namespace forge
