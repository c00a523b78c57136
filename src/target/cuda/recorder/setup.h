// What the planner's process is told at its start: tables in read-only shared memory. Plain C++
// without our libraries, since the recording runtime is compiled on its own, by the toolkit's
// headers. Reasons: docs/formats/planner-protocol.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace forge::recorder {

inline constexpr std::uint32_t kSetupMagic = 0x464b5031;  // "FKP1"
inline constexpr std::uint32_t kSetupVersion = 1;

// Descriptors of a freshly started planner. 0 is /dev/null; 1 and 2 are a pipe that never blocks.
enum Descriptor : int {
  kStatusFd = 3,     // runner::StatusPage: for what its signal handlers note
  kSetupFd = 4,      // Setup and its tables, read-only
  kRecordingFd = 5,  // RecordingHeader and records
  kRecorderFd = 6,   // the recording runtime, trusted
  kImageFd = 7,      // the candidate's shared object; absent for kOccupancy
};

// Made-up device addresses lie between these: far from where Linux puts a process's own memory, so
// that touching one is a fault that says which.
inline constexpr std::uint64_t kFirstDeviceAddress = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kEndOfDeviceAddresses = std::uint64_t{1} << 46;

constexpr bool is_device(std::uint64_t address) {
  return address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
}

enum class Mode : std::uint32_t {
  kRecord = 1,     // load the candidate and make the calls
  kOccupancy = 2,  // load no candidate; answer the occupancy questions
};

// `count` records of a fixed size, `offset` bytes into the set-up.
struct Table {
  std::uint64_t offset;
  std::uint64_t count;
};

struct Text {
  std::uint64_t offset;  // into the set-up, not terminated
  std::uint64_t bytes;
};

struct Device {
  char name[64];
  std::uint32_t major;
  std::uint32_t minor;
  std::uint32_t multiprocessors;
  std::uint32_t max_threads_per_block;
  std::uint32_t max_threads_per_multiprocessor;
  std::uint32_t max_blocks_per_multiprocessor;
  std::uint32_t registers_per_block;
  std::uint32_t registers_per_multiprocessor;
  std::uint32_t shared_per_block;
  std::uint32_t shared_per_block_optin;
  std::uint32_t shared_per_multiprocessor;
  std::uint32_t reserved_shared_per_block;
  std::uint32_t max_cluster_blocks;
  std::uint32_t memory_bus_bits;
  std::uint64_t l2_bytes;
  std::uint64_t memory_bytes;
};

struct Parameter {
  std::uint32_t offset;
  std::uint32_t bytes;
};

struct Kernel {
  Text name;
  std::uint64_t first_parameter;  // into `parameters`
  std::uint32_t parameters;
  std::uint32_t parameter_bytes;
  std::uint32_t registers;
  std::uint32_t static_shared;
  std::uint32_t stack_bytes;
  std::uint32_t max_threads;         // 0: not limited by launch bounds
  std::uint32_t cluster[3];          // compiled in; 0, 0, 0: none
  std::uint32_t max_cluster_blocks;  // 0: not limited by launch bounds
};

struct Symbol {
  Text name;
  std::uint64_t bytes;
};

// One call of forge_launch. Its Args image is complete but for the workspace.
struct Call {
  std::uint64_t args;  // offset of the image
  std::uint64_t args_bytes;
  std::uint64_t dims;               // offset of the image of Dims
  std::uint64_t workspace_pointer;  // offsets in Args
  std::uint64_t workspace_size;
  std::uint64_t workspace_address;     // made up
  std::uint64_t first_symbol_address;  // into `symbol_addresses`, one for each symbol
  std::uint32_t entry;                 // shape and group
  std::uint32_t fill;                  // byte that memory which nobody has written holds
};

struct OccupancyQuestion {
  std::uint32_t kernel;
  std::uint32_t threads;
  std::uint32_t dynamic_shared;
  std::uint32_t reserved;
};

struct Setup {
  std::uint32_t magic;
  std::uint32_t version;
  Mode mode;
  std::uint32_t reserved;
  std::uint64_t memory_limit_bytes;     // private memory of the process
  std::uint64_t workspace_limit_bytes;  // that forge_workspace may ask for
  std::uint64_t recording_bytes;        // size of the recording's memory
  std::uint64_t nonce;                  // marks tensor maps
  Device device;
  Table initialisers;  // u64: offsets from the image's load address of slots to call
  Table parameters;
  Table kernels;
  Table symbols;
  Table symbol_addresses;  // u64
  Table calls;
  Table questions;
};

}  // namespace forge::recorder
