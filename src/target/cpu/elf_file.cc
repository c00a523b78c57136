#include "target/cpu/elf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace forge {
namespace {

// Far more than any compiler emits; they bound the work on hostile bytes.
constexpr std::size_t kMaxProgramHeaders = 64;
constexpr std::size_t kMaxDynamicEntries = 1024;
constexpr std::uint64_t kMaxRelocations = 4'000'000;
// Keeps every sum of an address and a size below 2^64.
constexpr std::uint64_t kMaxAddress = std::uint64_t{1} << 47;

tl::unexpected<ElfMalformed> malformed(std::string reason) {
  return tl::unexpected<ElfMalformed>(ElfMalformed{std::move(reason)});
}

}  // namespace

template <typename T>
std::optional<T> ElfFile::at(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof(T));
  return value;
}

ElfResult<ElfFile> ElfFile::parse(std::span<const std::byte> bytes) {
  ElfFile file;
  file.bytes_ = bytes;
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return malformed("it is no ELF file");
  }
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_X86_64) {
    return malformed("it is not for 64-bit x86");
  }
  if (header->e_type != ET_DYN) return malformed("it is no shared object");
  if (auto status = file.read_program_headers(*header); !status)
    return malformed(status.error().reason);
  if (auto status = file.check_load_segments(); !status) return malformed(status.error().reason);
  if (auto status = file.read_dynamic(); !status) return malformed(status.error().reason);
  if (auto status = file.count_symbols(); !status) return malformed(status.error().reason);
  return file;
}

ElfResult<void> ElfFile::read_program_headers(const Elf64_Ehdr& header) {
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 ||
      header.e_phnum > kMaxProgramHeaders) {
    return malformed("its program header table is malformed");
  }
  if (header.e_phoff > bytes_.size()) return malformed("its program headers lie outside the file");
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto entry = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!entry) return malformed("its program headers lie outside the file");
    headers_.push_back(*entry);
  }
  return {};
}

// Ascending and disjoint, so that an address has one meaning.
ElfResult<void> ElfFile::check_load_segments() const {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : headers_) {
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > bytes_.size() || bytes_.size() - segment.p_offset < segment.p_filesz) {
      return malformed("a segment lies outside the file");
    }
    if (segment.p_filesz > segment.p_memsz || segment.p_vaddr >= kMaxAddress ||
        segment.p_memsz >= kMaxAddress || segment.p_vaddr < end) {
      return malformed("its segments are malformed or overlap");
    }
    end = segment.p_vaddr + segment.p_memsz;
  }
  return {};
}

std::optional<std::size_t> ElfFile::offset_of(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : headers_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t inside = address - segment.p_vaddr;
    if (inside <= segment.p_filesz && segment.p_filesz - inside >= size) {
      return segment.p_offset + inside;
    }
  }
  return std::nullopt;
}

ElfResult<void> ElfFile::read_dynamic() {
  const auto is_dynamic = [](const Elf64_Phdr& h) { return h.p_type == PT_DYNAMIC; };
  if (std::count_if(headers_.begin(), headers_.end(), is_dynamic) != 1) {
    return malformed("it does not have exactly one dynamic table");
  }
  const auto segment = std::find_if(headers_.begin(), headers_.end(), is_dynamic);
  // The loader takes the address, not the file offset.
  const auto offset = offset_of(segment->p_vaddr, segment->p_memsz);
  if (!offset) return malformed("its dynamic table lies outside the file");
  std::set<std::int64_t> seen;
  for (std::uint64_t i = 0;; ++i) {
    if (i >= kMaxDynamicEntries || (i + 1) * sizeof(Elf64_Dyn) > segment->p_memsz) {
      return malformed("its dynamic table has no end");
    }
    const std::size_t where = *offset + i * sizeof(Elf64_Dyn);
    const auto entry = at<Elf64_Dyn>(where);
    if (!entry) return malformed("its dynamic table lies outside the file");
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag != DT_NEEDED && !seen.insert(entry->d_tag).second) {
      return malformed(fmt::format("dynamic tag {:#x} occurs twice", entry->d_tag));
    }
    dynamic_.push_back({entry->d_tag, entry->d_un.d_val, where});
  }
  const auto strings = dynamic_value(DT_STRTAB);
  string_bytes_ = dynamic_value(DT_STRSZ).value_or(0);
  const auto string_offset = offset_of(strings.value_or(0), string_bytes_);
  if (!strings || string_bytes_ == 0 || !string_offset) {
    return malformed("its string table is missing or lies outside the file");
  }
  string_table_ = *string_offset;
  return {};
}

std::optional<std::uint64_t> ElfFile::dynamic_value(std::int64_t tag) const {
  for (const ElfDynamicEntry& entry : dynamic_) {
    if (entry.tag == tag) return entry.value;
  }
  return std::nullopt;
}

ElfResult<std::string_view> ElfFile::string(std::uint64_t offset) const {
  if (offset >= string_bytes_) return malformed("a name lies outside the string table");
  const char* begin = reinterpret_cast<const char*>(bytes_.data()) + string_table_ + offset;
  const void* end = std::memchr(begin, '\0', string_bytes_ - offset);
  if (end == nullptr) return malformed("a name has no end");
  return std::string_view(begin, static_cast<const char*>(end));
}

std::optional<std::uint32_t> ElfFile::word_at_address(std::uint64_t address) const {
  const auto offset = offset_of(address, sizeof(std::uint32_t));
  return offset ? at<std::uint32_t>(*offset) : std::nullopt;
}

// The dynamic table does not say how many symbols there are; the hash tables do.
ElfResult<void> ElfFile::count_symbols() {
  const auto table = dynamic_value(DT_SYMTAB);
  if (!table) return malformed("it has no symbol table");
  symbol_table_ = *table;
  const auto sysv = dynamic_value(DT_HASH);
  const auto gnu = dynamic_value(DT_GNU_HASH);
  if (!sysv && !gnu) return malformed("it has no symbol hash table");
  if (sysv) {
    const auto chains = word_at_address(*sysv + sizeof(std::uint32_t));
    if (!chains) return malformed("its symbol hash table lies outside the file");
    symbol_count_ = *chains;
  }
  if (gnu) {
    const auto count = count_gnu_hashed(*gnu);
    if (!count) return malformed(count.error().reason);
    symbol_count_ = std::max(symbol_count_, *count);
  }
  if (!offset_of(symbol_table_, std::uint64_t{symbol_count_} * sizeof(Elf64_Sym))) {
    return malformed("its symbol table lies outside the file");
  }
  return {};
}

// Buckets hold the first index of each chain; a chain ends at the hash whose lowest bit is set.
ElfResult<std::uint32_t> ElfFile::count_gnu_hashed(std::uint64_t table) const {
  const auto outside = [] { return malformed("its symbol hash table lies outside the file"); };
  const auto offset = offset_of(table, 4 * sizeof(std::uint32_t));
  if (!offset) return outside();
  const std::uint32_t buckets = *at<std::uint32_t>(*offset);
  const std::uint32_t first = *at<std::uint32_t>(*offset + 4);
  const std::uint32_t bloom_words = *at<std::uint32_t>(*offset + 8);
  const std::uint64_t bucket_table = table + 16 + std::uint64_t{bloom_words} * 8;
  const std::uint64_t chain_table = bucket_table + std::uint64_t{buckets} * 4;
  if (!offset_of(bucket_table, std::uint64_t{buckets} * 4)) return outside();
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) {
    last = std::max(last, *word_at_address(bucket_table + std::uint64_t{i} * 4));
  }
  if (last < first) return first;
  for (;; ++last) {
    const auto hash = word_at_address(chain_table + std::uint64_t{last - first} * 4);
    if (!hash || last == UINT32_MAX) return outside();
    if ((*hash & 1) != 0) return last + 1;
  }
}

ElfResult<ElfSymbol> ElfFile::symbol(std::uint32_t index) const {
  const std::uint64_t address = symbol_table_ + std::uint64_t{index} * sizeof(Elf64_Sym);
  const auto offset = offset_of(address, sizeof(Elf64_Sym));
  if (!offset) return malformed("a symbol lies outside the file");
  const Elf64_Sym raw = *at<Elf64_Sym>(*offset);
  const auto name = string(raw.st_name);
  if (!name) return malformed(name.error().reason);
  return ElfSymbol{*name, static_cast<unsigned>(ELF64_ST_TYPE(raw.st_info)),
                   static_cast<unsigned>(ELF64_ST_BIND(raw.st_info)), raw.st_shndx != SHN_UNDEF};
}

ElfResult<void> ElfFile::read_relocations(std::int64_t table_tag, std::int64_t size_tag,
                                          std::vector<ElfRelocation>& out) const {
  const auto table = dynamic_value(table_tag);
  const std::uint64_t size = dynamic_value(size_tag).value_or(0);
  if (!table || size == 0) return {};
  const std::uint64_t count = size / sizeof(Elf64_Rela);
  const auto offset = offset_of(*table, size);
  if (!offset || count > kMaxRelocations) {
    return malformed("its relocations are too many or lie outside the file");
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Elf64_Rela raw = *at<Elf64_Rela>(*offset + i * sizeof(Elf64_Rela));
    out.push_back({static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info)),
                   static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info))});
  }
  return {};
}

ElfResult<std::vector<ElfRelocation>> ElfFile::relocations() const {
  std::vector<ElfRelocation> all;
  if (auto s = read_relocations(DT_RELA, DT_RELASZ, all); !s) return malformed(s.error().reason);
  if (auto s = read_relocations(DT_JMPREL, DT_PLTRELSZ, all); !s)
    return malformed(s.error().reason);
  return all;
}

}  // namespace forge
