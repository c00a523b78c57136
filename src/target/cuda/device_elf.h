// A bounds-checked view of a cubin's sections and symbols; cubin.cc gives them meaning. Pure. May
// know: base.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

struct DeviceSection {
  std::string_view name;
  Elf64_Shdr header{};
  std::span<const std::byte> bytes;  // empty for SHT_NOBITS
};

struct DeviceSymbol {
  std::string_view name;
  Elf64_Sym raw{};
  unsigned type() const { return ELF64_ST_TYPE(raw.st_info); }
};

class DeviceElf {
 public:
  // nullopt and `reason` if the bytes are no cubin.
  static std::optional<DeviceElf> parse(std::span<const std::byte> bytes, std::string& reason);

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<DeviceSection>& sections() const { return sections_; }
  const std::vector<DeviceSymbol>& symbols() const { return symbols_; }
  const DeviceSection* find(std::string_view name) const;
  // The section that a symbol lies in, or nullptr.
  const DeviceSection* section_of(const DeviceSymbol& symbol) const;

 private:
  bool read_sections(std::span<const std::byte> bytes, std::string& reason);
  bool read_symbols(std::string& reason);

  Elf64_Ehdr header_{};
  std::vector<DeviceSection> sections_;
  std::vector<DeviceSymbol> symbols_;
};

// A T at `offset`, or nothing if it would reach beyond the end.
template <typename T>
std::optional<T> record_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// The text from `offset` to its terminating zero, or nothing.
std::optional<std::string_view> text_at(std::span<const std::byte> bytes, std::uint64_t offset);

}  // namespace forge
