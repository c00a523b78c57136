#include "target/cpu/elf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "target/cpu/elf_file.h"

namespace forge {
namespace {

using Refusal = std::optional<std::string>;

constexpr std::string_view kLaunch = "forge_launch";
constexpr std::string_view kWorkspace = "forge_workspace";
constexpr std::uint64_t kMaxInitialisers = 4096;
constexpr std::size_t kMaxQuotedName = 80;

// Inside DT_LOOS..DT_HIOS, where loaders skip what they do not know.
constexpr std::int64_t kDisarmedTag = 0x6f466b00;

constexpr auto kCandidateLibraries = std::to_array<std::string_view>(
    {"libc.so.6", "libm.so.6", "libmvec.so.1", "libgcc_s.so.1", "libstdc++.so.6", "libgomp.so.1",
     "libpthread.so.0", "ld-linux-x86-64.so.2"});

constexpr std::string_view kRecordingRuntime = "libforge_cuda.so";

struct RefusedTag {
  std::int64_t tag;
  std::string_view what;
};
constexpr auto kRefusedTags = std::to_array<RefusedTag>({
    {DT_RPATH, "a run path (DT_RPATH)"},
    {DT_RUNPATH, "a run path (DT_RUNPATH)"},
    {DT_AUDIT, "a loader audit library (DT_AUDIT)"},
    {DT_DEPAUDIT, "a loader audit library (DT_DEPAUDIT)"},
    {DT_FILTER, "a symbol filter (DT_FILTER)"},
    {DT_AUXILIARY, "a symbol filter (DT_AUXILIARY)"},
    {DT_CONFIG, "a loader configuration (DT_CONFIG)"},
    {DT_TEXTREL, "relocations in its code (DT_TEXTREL)"},
    {DT_PREINIT_ARRAY, "initialisers that can't be deferred (DT_PREINIT_ARRAY)"},
    {DT_REL, "relocations of another architecture (DT_REL)"},
});

// Those that move addresses and nothing else. IRELATIVE, which calls code, is not among them.
constexpr auto kHarmlessRelocations = std::to_array<std::uint32_t>(
    {R_X86_64_NONE, R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE,
     R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TPOFF64, R_X86_64_TLSDESC});

template <typename Range, typename Value>
bool holds(const Range& range, const Value& value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

std::string quoted(std::string_view name) { return clip(printable(name), kMaxQuotedName); }

Refusal check_segments(const ElfFile& file) {
  bool has_stack = false;
  for (const Elf64_Phdr& segment : file.program_headers()) {
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) && (segment.p_flags & PF_X)) {
      return "it has a segment that is both writable and executable";
    }
    if (segment.p_type != PT_GNU_STACK) continue;
    has_stack = true;
    if ((segment.p_flags & PF_X) != 0) return "it asks for an executable stack";
  }
  if (!has_stack) return "it asks for an executable stack (it has no PT_GNU_STACK)";
  return std::nullopt;
}

Refusal check_dynamic_tags(const ElfFile& file) {
  for (const ElfDynamicEntry& entry : file.dynamic()) {
    for (const RefusedTag& refused : kRefusedTags) {
      if (entry.tag == refused.tag) return fmt::format("it has {}", refused.what);
    }
  }
  if ((file.dynamic_value(DT_FLAGS).value_or(0) & DF_TEXTREL) != 0) {
    return "it has relocations in its code (DF_TEXTREL)";
  }
  if (file.dynamic_value(DT_PLTREL).value_or(DT_RELA) != DT_RELA) {
    return "it has relocations of another architecture (DT_PLTREL)";
  }
  return std::nullopt;
}

Refusal check_needed(const std::vector<std::string>& needed, ImageTrust trust) {
  for (const std::string& name : needed) {
    if (trust == ImageTrust::kCudaCandidate && name == kRecordingRuntime) continue;
    if (!holds(kCandidateLibraries, name)) {
      return fmt::format("it needs the library '{}', which a kernel may not use", quoted(name));
    }
  }
  return std::nullopt;
}

Refusal check_symbol(const ElfSymbol& symbol) {
  if (!symbol.defined) return std::nullopt;
  if (symbol.type == STT_GNU_IFUNC) {
    return fmt::format("'{}' is an ifunc: its resolver would run while loading",
                       quoted(symbol.name));
  }
  if (symbol.binding != STB_LOCAL && symbol.name != kLaunch && symbol.name != kWorkspace) {
    return fmt::format("it exports '{}'; only forge_launch and forge_workspace may be exported",
                       quoted(symbol.name));
  }
  return std::nullopt;
}

Refusal check_symbols(const ElfFile& file) {
  for (std::uint32_t i = 1; i < file.symbol_count(); ++i) {
    const auto symbol = file.symbol(i);
    if (!symbol) return symbol.error().reason;
    if (auto refusal = check_symbol(*symbol)) return refusal;
  }
  return std::nullopt;
}

Refusal check_relocations(const ElfFile& file) {
  const auto relocations = file.relocations();
  if (!relocations) return relocations.error().reason;
  for (const ElfRelocation& relocation : *relocations) {
    if (relocation.type == R_X86_64_IRELATIVE) {
      return "it has an ifunc (an IRELATIVE relocation): its resolver would run while loading";
    }
    if (!holds(kHarmlessRelocations, relocation.type)) {
      return fmt::format("it has a relocation of unexpected type {}", relocation.type);
    }
    // The hash tables need not reach this symbol; the loader does.
    if (relocation.symbol >= file.symbol_count()) {
      return "a relocation names a symbol outside the symbol table";
    }
  }
  return std::nullopt;
}

Refusal check_candidate(const ElfFile& file, const std::vector<std::string>& needed,
                        ImageTrust trust) {
  if (auto refusal = check_segments(file)) return refusal;
  if (auto refusal = check_dynamic_tags(file)) return refusal;
  if (auto refusal = check_needed(needed, trust)) return refusal;
  if (auto refusal = check_symbols(file)) return refusal;
  return check_relocations(file);
}

Refusal check_launch(const ElfFile& file) {
  for (std::uint32_t i = 1; i < file.symbol_count(); ++i) {
    const auto symbol = file.symbol(i);
    if (!symbol) return symbol.error().reason;
    if (symbol->name == kLaunch && symbol->defined && symbol->type == STT_FUNC &&
        symbol->binding != STB_LOCAL) {
      return std::nullopt;
    }
  }
  return "it does not define forge_launch; write extern \"C\" int forge_launch(const Args*, void*)";
}

ElfResult<std::vector<std::string>> needed_libraries(const ElfFile& file) {
  std::vector<std::string> needed;
  for (const ElfDynamicEntry& entry : file.dynamic()) {
    if (entry.tag != DT_NEEDED) continue;
    const auto name = file.string(entry.value);
    if (!name) return tl::unexpected<ElfMalformed>(name.error());
    needed.emplace_back(*name);
  }
  return needed;
}

Refusal list_initialisers(const ElfFile& file, std::vector<std::uint64_t>& slots) {
  const auto array = file.dynamic_value(DT_INIT_ARRAY);
  const std::uint64_t size = file.dynamic_value(DT_INIT_ARRAYSZ).value_or(0);
  if (!array || size == 0) return std::nullopt;
  const std::uint64_t count = size / sizeof(std::uint64_t);
  if (size % sizeof(std::uint64_t) != 0 || count > kMaxInitialisers ||
      !file.offset_of(*array, size)) {
    return "its table of initialisers is malformed";
  }
  for (std::uint64_t i = 0; i < count; ++i) slots.push_back(*array + i * sizeof(std::uint64_t));
  return std::nullopt;
}

// Renames the entries, so that a loader finds neither initialisers nor finalisers.
void disarm(const ElfFile& file, std::vector<std::byte>& bytes) {
  constexpr auto kTags = std::to_array<std::int64_t>(
      {DT_INIT, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, DT_FINI, DT_FINI_ARRAY, DT_FINI_ARRAYSZ});
  for (const ElfDynamicEntry& entry : file.dynamic()) {
    const auto tag = std::find(kTags.begin(), kTags.end(), entry.tag);
    if (tag == kTags.end()) continue;
    const std::int64_t disarmed = kDisarmedTag + (tag - kTags.begin());
    std::memcpy(bytes.data() + entry.file_offset, &disarmed, sizeof disarmed);
  }
}

}  // namespace

std::span<const std::string_view> candidate_libraries() { return kCandidateLibraries; }

std::variant<LoadableImage, ImageRefused> inspect_image(std::span<const std::byte> elf,
                                                        ImageTrust trust) {
  const auto file = ElfFile::parse(elf);
  if (!file) return ImageRefused{"the kernel's shared object is malformed: " + file.error().reason};
  const auto refused = [](const std::string& reason) {
    return ImageRefused{"the kernel's shared object is refused: " + reason};
  };
  auto needed = needed_libraries(*file);
  if (!needed) return refused(needed.error().reason);
  if (auto refusal = check_launch(*file)) return refused(*refusal);
  LoadableImage image;
  image.bytes.assign(elf.begin(), elf.end());
  image.needed = std::move(*needed);
  if (trust == ImageTrust::kTrusted) return image;
  if (auto refusal = check_candidate(*file, image.needed, trust)) return refused(*refusal);
  if (auto refusal = list_initialisers(*file, image.initialisers)) return refused(*refusal);
  disarm(*file, image.bytes);
  return image;
}

}  // namespace forge
