// The words that measurer and runner exchange: fixed-size structures in shared memory, and the file
// descriptors that the runner finds open. Plain C++ without our libraries, since the runner has
// none of them. Format and reasons: docs/formats/runner-protocol.md.
//
// Trust ends here: the candidate shares the runner's address space. Whatever the runner writes (the
// status page, the outputs) is a claim; verdict and clock are the measurer's alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace forge::runner {

inline constexpr std::uint32_t kMagic = 0x464b5231;  // "FKR1"
inline constexpr std::uint32_t kVersion = 2;

// Descriptors of a freshly started runner. 0 is /dev/null; 1 and 2 are a pipe that never blocks.
enum Descriptor : int {
  kCommandFd = 3,  // CommandPage, read-only for the runner
  kStatusFd = 4,   // StatusPage
  kSetupFd = 5,    // SetupHeader and its tables, read-only
  kInputsFd = 6,   // arena of input buffers, read-only
  kOutputsFd = 7,  // arena of in-out and output buffers
  kImageFd = 8,    // the kernel's shared object
};

inline constexpr std::size_t kPageBytes = 4096;
// In `armed`: there is nothing to do, and the calling thread sleeps, so that the others can get to
// sleep, too.
inline constexpr std::uint32_t kRest = 0xffffffff;

// Written by the measurer only. Within an interval the runner spins on `go`; between intervals it
// is stopped by a signal. It is never told how many calls an interval has, nor what they are for: a
// check, a timing and a confirmation look the same from inside.
struct CommandPage {
  std::uint32_t magic;
  std::uint32_t version;
  // Not 0: the kernel's code may run. The measurer says so when it has seen that the runner is
  // confined; what the status page claims from then on excuses nothing.
  std::atomic<std::uint32_t> admitted;
  alignas(64) std::atomic<std::uint32_t> armed;  // number of the interval, from 1; or kRest
  alignas(64) std::atomic<std::uint32_t> entry;  // index into the Args table of the call to make
  std::atomic<std::uint32_t> go;                 // running number of the call to make, from 1
};
static_assert(sizeof(CommandPage) <= kPageBytes);

enum class Phase : std::uint32_t {
  kStarting = 0,
  kConfining = 1,
  kLoading = 2,
  kInitialising = 3,  // candidate code runs from here on, once it is admitted
  kServing = 4,
};

enum class SetupFailure : std::uint32_t {
  kNone = 0,
  kProtocol = 1,     // magic, version or a table does not fit
  kMapping = 2,      // shared memory could not be mapped
  kConfinement = 3,  // a layer that exists here could not be put on
  kLoad = 4,         // dlopen or dlsym; `text` says why
  kWorkspace = 5,    // forge_workspace asked for more than the limit
};

// Written by the runner; every field is a claim.
struct StatusPage {
  std::uint32_t magic;
  std::atomic<std::uint32_t> phase;                     // Phase
  std::atomic<std::uint32_t> setup_failure;             // SetupFailure
  std::uint32_t system_error;                           // errno beside it
  alignas(64) std::atomic<std::uint32_t> ready;         // interval it spins for
  alignas(64) std::atomic<std::uint32_t> done;          // last call that returned
  alignas(64) std::atomic<std::int32_t> launch_result;  // the last non-zero one
  // Set by the runner's signal handlers, for messages only.
  std::atomic<std::uint32_t> fault_signal;
  std::atomic<std::uint32_t> fault_is_write;
  std::atomic<std::uint64_t> fault_address;
  std::atomic<std::uint32_t> refused_system_call;  // number + 1
  std::uint64_t inputs_base;  // where the arenas lie in the runner, to explain a fault
  std::uint64_t outputs_base;
  std::uint64_t workspace_bytes;
  std::uint32_t layers;  // confinement that is on: bit 0 no_new_privs, 1 Landlock, 2 seccomp
  alignas(64) char text[512];
};
static_assert(sizeof(StatusPage) <= kPageBytes);

// python/forge_reference.py knows these offsets by heart.
static_assert(offsetof(CommandPage, armed) == 64 && offsetof(CommandPage, entry) == 128 &&
              offsetof(CommandPage, go) == 132);
static_assert(offsetof(StatusPage, phase) == 4 && offsetof(StatusPage, setup_failure) == 8 &&
              offsetof(StatusPage, ready) == 64 && offsetof(StatusPage, done) == 128 &&
              offsetof(StatusPage, launch_result) == 192 && offsetof(StatusPage, text) == 256);

inline constexpr std::uint32_t kLayerNoNewPrivileges = 1;
inline constexpr std::uint32_t kLayerLandlock = 2;
inline constexpr std::uint32_t kLayerSeccomp = 4;

enum class Confinement : std::uint32_t { kTrusted = 0, kCandidate = 1 };
enum class Region : std::uint32_t { kInputs = 0, kOutputs = 1 };

// A span of a table: `count` records of a fixed size, `offset` bytes into the setup memory.
struct TableRef {
  std::uint64_t offset;
  std::uint64_t count;
};

struct SetupHeader {
  std::uint32_t magic;
  std::uint32_t version;
  Confinement confinement;
  std::uint32_t reserved;
  std::uint64_t memory_limit_bytes;  // private memory of the runner
  std::uint64_t inputs_bytes;        // sizes of the arenas, whole pages
  std::uint64_t outputs_bytes;
  TableRef initialisers;  // u64: offsets from the image's load address of slots to call
  TableRef shapes;        // ShapeEntry
  TableRef entries;       // ArgsEntry
  TableRef relocations;   // Relocation
  TableRef guards;        // Guard
  TableRef bytes;         // u8: images of Dims and Args
};

struct ShapeEntry {
  std::uint64_t dims_offset;  // into `bytes`
  std::uint64_t dims_bytes;
};

struct ArgsEntry {
  std::uint64_t image_offset;  // into `bytes`
  std::uint64_t image_bytes;
  std::uint64_t first_relocation;
  std::uint64_t relocations;
  std::uint64_t workspace_offset;        // of the pointer, in Args
  std::uint64_t workspace_bytes_offset;  // of the size, in Args
  std::uint32_t shape;
  std::uint32_t reserved;
};

// *(void**)(args + args_offset) = base(region) + region_offset
struct Relocation {
  std::uint64_t args_offset;
  Region region;
  std::uint32_t reserved;
  std::uint64_t region_offset;
};

// Pages that the runner makes inaccessible before it confines itself.
struct Guard {
  Region region;
  std::uint32_t reserved;
  std::uint64_t offset;
  std::uint64_t bytes;
};

}  // namespace forge::runner
