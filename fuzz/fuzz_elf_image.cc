// Whatever the bytes: no read outside them, the patched image keeps its size, every initialiser
// lies inside it, and a second inspection finds nothing left to disarm.
#include <cstdint>

#include "target/cpu/elf_file.h"
#include "target/cpu/elf_image.h"

namespace {

void check_candidate(std::span<const std::byte> bytes) {
  const auto result = forge::inspect_image(bytes, forge::ImageTrust::kCandidate);
  const auto* image = std::get_if<forge::LoadableImage>(&result);
  if (image == nullptr) return;
  FORGE_CHECK(image->bytes.size() == bytes.size());
  const auto file = forge::ElfFile::parse(bytes);
  FORGE_CHECK(file.has_value());
  for (const std::uint64_t slot : image->initialisers) {
    FORGE_CHECK(file->offset_of(slot, sizeof(std::uint64_t)).has_value());
  }
  const auto again = forge::inspect_image(image->bytes, forge::ImageTrust::kCandidate);
  const auto* same = std::get_if<forge::LoadableImage>(&again);
  if (same != nullptr) FORGE_CHECK(same->initialisers.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  check_candidate(bytes);
  static_cast<void>(forge::inspect_image(bytes, forge::ImageTrust::kTrusted));
  return 0;
}
