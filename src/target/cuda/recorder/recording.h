// What the recording runtime notes down, in memory shared with the trusted process that reads it.
// Everything in it is a claim of whoever shares the address space: readers check every word. Plain
// C++ without our libraries. Format: docs/formats/planner-protocol.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace forge::recorder {

inline constexpr std::uint32_t kRecordingMagic = 0x464b5244;  // "FKRD"
inline constexpr std::size_t kRecordAlignment = 8;

struct RecordingHeader {
  std::uint32_t magic;
  // Set once, by the first thing that is refused.
  std::atomic<std::uint32_t> refused;
  char refusal[504];                // in words, terminated
  std::atomic<std::uint64_t> used;  // bytes of records behind the header
};
static_assert(sizeof(RecordingHeader) == 520);

enum class RecordKind : std::uint32_t {
  kWorkspace = 1,
  kCallBegin = 2,
  kCallEnd = 3,
  kLaunch = 4,
  kMemset = 5,
  kCopy = 6,
  kWrite = 7,
  kTensorMap = 8,
  kOccupancy = 9,
};

// Every record begins with this; the next one follows `bytes` later.
struct Record {
  RecordKind kind;
  std::uint32_t bytes;  // of the whole record, a multiple of kRecordAlignment
};

struct WorkspaceRecord {  // what forge_workspace answered
  Record head;
  std::uint64_t call;
  std::uint64_t bytes;
};
struct CallRecord {  // kCallBegin, kCallEnd
  Record head;
  std::uint32_t call;
  std::int32_t result;  // of forge_launch; kCallEnd only
};

inline constexpr std::uint32_t kCooperativeFlag = 1;
inline constexpr std::uint32_t kProgrammaticFlag = 2;

struct LaunchRecord {
  Record head;
  std::uint32_t kernel;  // into Setup::kernels
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t cluster[3];  // 0, 0, 0: none given
  std::uint32_t dynamic_shared;
  std::uint32_t flags;
  std::int32_t carveout;
  std::uint32_t cluster_policy;
  std::uint32_t parameter_bytes;  // the parameters follow
  std::uint32_t reserved;
};
struct MemsetRecord {
  Record head;
  std::uint64_t target;
  std::uint64_t bytes;
  std::uint32_t value;
  std::uint32_t reserved;
};
struct CopyRecord {
  Record head;
  std::uint64_t target;
  std::uint64_t source;
  std::uint64_t bytes;
};
struct WriteRecord {  // from host memory to a symbol
  Record head;
  std::uint64_t target;
  std::uint64_t bytes;  // they follow
};
struct TensorMapRecord {
  Record head;
  std::uint64_t number;  // as in the mark
  std::uint64_t address;
  std::uint32_t im2col;
  std::uint32_t data_type;
  std::uint32_t rank;
  std::uint32_t interleave;
  std::uint32_t swizzle;
  std::uint32_t l2_promotion;
  std::uint32_t fill;
  std::uint32_t reserved;
  std::uint64_t sizes[5];
  std::uint64_t strides[5];
  std::uint32_t box[5];
  std::int32_t lower[3];
  std::int32_t upper[3];
  std::uint32_t element_strides[5];
};
struct OccupancyRecord {
  Record head;
  std::uint32_t question;
  std::uint32_t blocks;  // of a multiprocessor
};

// What an encoded CUtensorMap holds here: 128 bytes that nothing else resembles.
struct TensorMapMark {
  std::uint64_t nonce;         // of the set-up
  std::uint64_t number;        // of the TensorMapRecord, counted in each call from 0
  std::uint64_t repeated[14];  // nonce, number, nonce, …
};
static_assert(sizeof(TensorMapMark) == 128);

}  // namespace forge::recorder
