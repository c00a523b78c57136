// Content digests (BLAKE2b-256 by libsodium) and the journal's checksum. Does no I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace forge {

// A 256-bit digest in 64 lower-case hex digits. Comparable, usable as a file name.
struct Digest {
  std::string hex;
  auto operator<=>(const Digest&) const = default;
  std::string brief() const { return hex.substr(0, 12); }
};

// Streams bytes into a digest. Each `add` is length-prefixed, so ("ab","c") and ("a","bc") differ.
class Hasher {
 public:
  Hasher();
  Hasher& add(std::string_view bytes);
  Hasher& add(std::span<const std::byte> bytes);
  Digest finish();  // may be called once

 private:
  alignas(64) std::array<unsigned char, 384> state_{};  // crypto_generichash_state
};

Digest digest_of(std::string_view bytes);

// CRC-32C (Castagnoli), which guards each line of the journal.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace forge
