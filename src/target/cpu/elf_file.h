// A bounds-checked reader of ELF64 shared objects for x86-64. Pure. May know: base.
//
// Nothing here trusts the bytes: every offset, size and index is checked before use, and what the
// dynamic loader would see (program headers, the dynamic table) is what is read; section headers,
// which the loader ignores, are ignored too.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace forge {

// Why the bytes are no shared object that a loader would take.
struct ElfMalformed {
  std::string reason;
};
template <typename T>
using ElfResult = tl::expected<T, ElfMalformed>;

struct ElfDynamicEntry {
  std::int64_t tag = 0;
  std::uint64_t value = 0;
  std::size_t file_offset = 0;  // of the entry itself
};

struct ElfSymbol {
  std::string_view name;
  unsigned type = 0;     // STT_…
  unsigned binding = 0;  // STB_…
  bool defined = false;
};

struct ElfRelocation {
  std::uint32_t type = 0;    // R_X86_64_…
  std::uint32_t symbol = 0;  // index
};

class ElfFile {
 public:
  // `bytes` must outlive the file.
  static ElfResult<ElfFile> parse(std::span<const std::byte> bytes);

  const std::vector<Elf64_Phdr>& program_headers() const { return headers_; }
  // In order, without the terminating DT_NULL. Only DT_NEEDED may occur more than once.
  const std::vector<ElfDynamicEntry>& dynamic() const { return dynamic_; }
  std::optional<std::uint64_t> dynamic_value(std::int64_t tag) const;

  // The file offset of `size` bytes that a loader would map at `address`, all in one segment.
  std::optional<std::size_t> offset_of(std::uint64_t address, std::uint64_t size) const;

  ElfResult<std::string_view> string(std::uint64_t offset) const;
  std::uint32_t symbol_count() const { return symbol_count_; }
  ElfResult<ElfSymbol> symbol(std::uint32_t index) const;
  // Of DT_RELA and DT_JMPREL. DT_RELR holds relative relocations only and is left out.
  ElfResult<std::vector<ElfRelocation>> relocations() const;

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const;
  std::optional<std::uint32_t> word_at_address(std::uint64_t address) const;

  ElfResult<void> read_program_headers(const Elf64_Ehdr& header);
  ElfResult<void> check_load_segments() const;
  ElfResult<void> read_dynamic();
  ElfResult<void> count_symbols();
  ElfResult<std::uint32_t> count_gnu_hashed(std::uint64_t table) const;
  ElfResult<void> read_relocations(std::int64_t table_tag, std::int64_t size_tag,
                                   std::vector<ElfRelocation>& out) const;

  std::span<const std::byte> bytes_;
  std::vector<Elf64_Phdr> headers_;
  std::vector<ElfDynamicEntry> dynamic_;
  std::uint64_t symbol_table_ = 0;
  std::uint64_t string_table_ = 0;  // file offset
  std::uint64_t string_bytes_ = 0;
  std::uint32_t symbol_count_ = 0;
};

}  // namespace forge
