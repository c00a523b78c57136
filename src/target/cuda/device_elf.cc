#include "target/cuda/device_elf.h"

#include <algorithm>

namespace forge {
namespace {

constexpr std::size_t kMaxSections = 65280;
constexpr std::size_t kMaxSymbols = 1'000'000;

}  // namespace

std::optional<std::string_view> text_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const char* begin = reinterpret_cast<const char*>(bytes.data()) + offset;
  const void* end = std::memchr(begin, '\0', bytes.size() - offset);
  if (end == nullptr) return std::nullopt;
  return std::string_view(begin, static_cast<const char*>(end));
}

std::optional<DeviceElf> DeviceElf::parse(std::span<const std::byte> bytes, std::string& reason) {
  DeviceElf elf;
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_CUDA) {
    reason = "it is no cubin";
    return std::nullopt;
  }
  elf.header_ = *header;
  if (!elf.read_sections(bytes, reason) || !elf.read_symbols(reason)) return std::nullopt;
  return elf;
}

bool DeviceElf::read_sections(std::span<const std::byte> bytes, std::string& reason) {
  if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shnum > kMaxSections ||
      header_.e_shoff > bytes.size()) {
    reason = "its section table is malformed";
    return false;
  }
  for (std::size_t i = 0; i < header_.e_shnum; ++i) {
    const auto header = record_at<Elf64_Shdr>(bytes, header_.e_shoff + i * sizeof(Elf64_Shdr));
    if (!header) {
      reason = "its section table lies outside the file";
      return false;
    }
    DeviceSection section{{}, *header, {}};
    if (header->sh_type != SHT_NOBITS) {
      if (header->sh_offset > bytes.size() || bytes.size() - header->sh_offset < header->sh_size) {
        reason = "a section lies outside the file";
        return false;
      }
      section.bytes = bytes.subspan(header->sh_offset, header->sh_size);
    }
    sections_.push_back(section);
  }
  if (header_.e_shstrndx >= sections_.size()) {
    reason = "it has no section names";
    return false;
  }
  const std::span<const std::byte> names = sections_[header_.e_shstrndx].bytes;
  for (DeviceSection& section : sections_) {
    const auto name = text_at(names, section.header.sh_name);
    if (!name) {
      reason = "a section's name lies outside the file";
      return false;
    }
    section.name = *name;
  }
  return true;
}

bool DeviceElf::read_symbols(std::string& reason) {
  const DeviceSection* table = find(".symtab");
  if (table == nullptr || table->header.sh_link >= sections_.size()) {
    reason = "it has no symbols";
    return false;
  }
  const std::span<const std::byte> names = sections_[table->header.sh_link].bytes;
  const std::size_t count = table->bytes.size() / sizeof(Elf64_Sym);
  if (count > kMaxSymbols) {
    reason = "it has too many symbols";
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Elf64_Sym raw = *record_at<Elf64_Sym>(table->bytes, i * sizeof(Elf64_Sym));
    const auto name = text_at(names, raw.st_name);
    if (!name) {
      reason = "a symbol's name lies outside the file";
      return false;
    }
    symbols_.push_back({*name, raw});
  }
  return true;
}

const DeviceSection* DeviceElf::find(std::string_view name) const {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(),
                   [&](const DeviceSection& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

const DeviceSection* DeviceElf::section_of(const DeviceSymbol& symbol) const {
  return symbol.raw.st_shndx < sections_.size() ? &sections_[symbol.raw.st_shndx] : nullptr;
}

}  // namespace forge
