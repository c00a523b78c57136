#include "base/digest.h"

#include <sodium.h>

#include <bit>
#include <cstring>

#include "base/error.h"

namespace forge {
namespace {

constexpr std::size_t kDigestBytes = 32;

static_assert(std::endian::native == std::endian::little, "length prefixes are little endian");
static_assert(sizeof(crypto_generichash_state) <= 384);
static_assert(alignof(crypto_generichash_state) <= 64);

crypto_generichash_state* state_of(std::array<unsigned char, 384>& bytes) {
  return reinterpret_cast<crypto_generichash_state*>(bytes.data());
}

const unsigned char* unsigned_bytes(const void* bytes) {
  return static_cast<const unsigned char*>(bytes);
}

// Lets libsodium choose the fastest implementation for this processor.
void choose_implementation() {
  static const int initialised = sodium_init();
  FORGE_CHECK(initialised >= 0);
}

Digest to_digest(const std::array<unsigned char, kDigestBytes>& bytes) {
  std::array<char, 2 * kDigestBytes + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
  return Digest{hex.data()};
}

constexpr auto kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}();

}  // namespace

Hasher::Hasher() {
  choose_implementation();
  FORGE_CHECK(crypto_generichash_init(state_of(state_), nullptr, 0, kDigestBytes) == 0);
}

Hasher& Hasher::add(std::span<const std::byte> bytes) {
  const std::uint64_t length = bytes.size();
  crypto_generichash_update(state_of(state_), unsigned_bytes(&length), sizeof length);
  crypto_generichash_update(state_of(state_), unsigned_bytes(bytes.data()), bytes.size());
  return *this;
}

Hasher& Hasher::add(std::string_view bytes) {
  return add(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

Digest Hasher::finish() {
  std::array<unsigned char, kDigestBytes> digest{};
  FORGE_CHECK(crypto_generichash_final(state_of(state_), digest.data(), digest.size()) == 0);
  return to_digest(digest);
}

Digest digest_of(std::string_view bytes) {
  choose_implementation();
  std::array<unsigned char, kDigestBytes> digest{};
  FORGE_CHECK(crypto_generichash(digest.data(), digest.size(), unsigned_bytes(bytes.data()),
                                 bytes.size(), nullptr, 0) == 0);
  return to_digest(digest);
}

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes)
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

}  // namespace forge
