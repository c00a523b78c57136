// Device code inside a shared object: the containers ("fatbins") that nvcc embeds, and device code
// that somebody else put there. Pure. May know: base, cubin.h.
//
// The layout of a fatbin is not documented by its vendor; what is read here was seen in what
// fatbinary of CUDA 13.0 writes, and is checked against nvcc in tests.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace forge {

enum class FatbinKind { kPtx, kCubin, kOther };

struct FatbinEntry {
  FatbinKind kind = FatbinKind::kOther;
  std::uint32_t sm = 0;
  bool compressed = false;
  std::span<const std::byte> payload;  // with padding behind it
};

struct Fatbin {
  std::size_t bytes = 0;  // of the whole container
  std::vector<FatbinEntry> entries;
};

// The container that `bytes` begin with.
Result<Fatbin> parse_fatbin(std::span<const std::byte> bytes, std::string_view object);

// Why a candidate's shared object holds device code that the compiler did not make of its source:
// containers and cubins in it must be those of `cubin`. A hidden one is not found, and can't be
// loaded either; this names the attempt.
std::optional<std::string> foreign_device_code(std::span<const std::byte> image,
                                               std::span<const std::byte> cubin);

}  // namespace forge
