#include "target/cuda/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "target/cuda/device_elf.h"

namespace forge {
namespace {

constexpr std::uint32_t kMaxParameters = 4096;
constexpr std::uint32_t kMaxParameterBytes = 32764;  // CUDA C++ Programming Guide, since 12.1
constexpr unsigned char kEntryPoint = 0x10;          // in st_other
constexpr int kFirstAbiWithHighSm = 8;

constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kInfoPrefix = ".nv.info.";
constexpr std::string_view kSharedPrefix = ".nv.shared.";
constexpr std::string_view kReservedShared = ".nv.shared.reserved.0";
constexpr std::uint64_t kReservedSharedBytes = 1024;

// Attributes of .nv.info, as cuobjdump names them (EIATTR_…).
enum Attribute : std::uint8_t {
  kMaxThreads = 0x05,
  kParamCbank = 0x0a,
  kExterns = 0x0f,
  kReqNtid = 0x10,
  kFrameSize = 0x11,
  kMinStackSize = 0x12,
  kKparamInfo = 0x17,
  kCbankParamSize = 0x19,
  kRegCount = 0x2f,
  kCtaPerCluster = 0x3d,
  kMaxClusterRank = 0x3f,
  kKparamInfoV2 = 0x45,
  kNumBarriers = 0x4c,
  kBlocksAreClusters = 0x5b,
};
enum Format : std::uint8_t { kNoValue = 1, kByteValue = 2, kHalfValue = 3, kSizedValue = 4 };

struct InfoEntry {
  std::uint8_t attribute = 0;
  std::uint16_t value = 0;  // of kByteValue and kHalfValue
  std::span<const std::byte> payload;
};

class Parser {
 public:
  Parser(const DeviceElf& elf, std::string_view object) : elf_(elf), object_(object) {}

  Result<Cubin> parse() {
    const auto& header = elf_.header();
    cubin_.sm = header.e_ident[EI_ABIVERSION] >= kFirstAbiWithHighSm ? header.e_flags >> 8 & 0xff
                                                                     : header.e_flags & 0xff;
    FORGE_TRY_STATUS(find_kernels());
    FORGE_TRY_STATUS(read_info());
    FORGE_TRY_STATUS(read_sections());
    FORGE_TRY_STATUS(read_symbols());
    for (auto& [name, kernel] : kernels_) {
      FORGE_TRY_STATUS(check_parameters(kernel));
      cubin_.kernels.push_back(std::move(kernel));
    }
    return std::move(cubin_);
  }

 private:
  Error corrupt(std::string cause) const {
    return {ErrorKind::kCorrupt, "cannot read", std::string(object_), std::move(cause), ""};
  }

  Status find_kernels() {
    for (const DeviceSymbol& symbol : elf_.symbols()) {
      if (symbol.type() != STT_FUNC || (symbol.raw.st_other & kEntryPoint) == 0) continue;
      const DeviceSection* section = elf_.section_of(symbol);
      if (section == nullptr || !section->name.starts_with(kTextPrefix)) {
        return corrupt(fmt::format("kernel {} has no code", printable(symbol.name)));
      }
      CubinKernel kernel;
      kernel.name = symbol.name;
      kernel.code_bytes = symbol.raw.st_size;
      if (!kernels_.emplace(kernel.name, kernel).second) {
        return corrupt(fmt::format("kernel {} occurs twice", printable(symbol.name)));
      }
    }
    return {};
  }

  CubinKernel* kernel_of(std::string_view name) {
    const auto found = kernels_.find(name);
    return found == kernels_.end() ? nullptr : &found->second;
  }
  CubinKernel* kernel_of_symbol(std::uint32_t index) {
    return index < elf_.symbols().size() ? kernel_of(elf_.symbols()[index].name) : nullptr;
  }

  template <typename Visit>
  Status each_entry(const DeviceSection& section, Visit visit) {
    std::uint64_t at = 0;
    while (at < section.bytes.size()) {
      struct Head {
        std::uint8_t format, attribute;
        std::uint16_t value;
      };
      const auto head = record_at<Head>(section.bytes, at);
      if (!head || head->format < kNoValue || head->format > kSizedValue) {
        return corrupt(fmt::format("{} is malformed", printable(section.name)));
      }
      at += sizeof(Head);
      InfoEntry entry{head->attribute, head->value, {}};
      if (head->format == kSizedValue) {
        if (section.bytes.size() - at < head->value) {
          return corrupt(fmt::format("{} ends too early", printable(section.name)));
        }
        entry.payload = section.bytes.subspan(at, head->value);
        at += head->value;
      }
      FORGE_TRY_STATUS(visit(entry));
    }
    return {};
  }

  Status read_info() {
    for (const DeviceSection& section : elf_.sections()) {
      if (section.name == ".nv.info") {
        FORGE_TRY_STATUS(each_entry(section, [&](const InfoEntry& e) { return module_entry(e); }));
      } else if (section.name.starts_with(kInfoPrefix)) {
        CubinKernel* kernel = kernel_of(section.name.substr(kInfoPrefix.size()));
        if (kernel == nullptr) continue;  // of a device function
        FORGE_TRY_STATUS(
            each_entry(section, [&](const InfoEntry& e) { return kernel_entry(e, *kernel); }));
      }
    }
    return {};
  }

  // Entries of .nv.info that name a function: {symbol, value}.
  Status module_entry(const InfoEntry& entry) {
    if (entry.attribute != kRegCount && entry.attribute != kFrameSize &&
        entry.attribute != kMinStackSize) {
      return {};
    }
    const auto symbol = record_at<std::uint32_t>(entry.payload, 0);
    const auto value = record_at<std::uint32_t>(entry.payload, 4);
    if (!symbol || !value) return corrupt(".nv.info is malformed");
    CubinKernel* kernel = kernel_of_symbol(*symbol);
    if (kernel == nullptr) return {};
    if (entry.attribute == kRegCount) {
      kernel->registers = *value;
    } else {
      // Of a call tree with known depth the smallest stack is what it needs.
      kernel->stack_bytes = std::max(kernel->stack_bytes, *value);
    }
    return {};
  }

  static std::optional<PlanExtent> extent_of(const InfoEntry& entry) {
    return record_at<PlanExtent>(entry.payload, 0);
  }

  Status kernel_entry(const InfoEntry& entry, CubinKernel& kernel) {
    const auto malformed = [&] {
      return corrupt(fmt::format("what it says of kernel {} is malformed", printable(kernel.name)));
    };
    switch (entry.attribute) {
      case kKparamInfo:
      case kKparamInfoV2:
        return parameter_entry(entry, kernel);
      case kCbankParamSize:
        kernel.parameter_bytes = entry.value;
        return {};
      case kParamCbank: {
        // {section, place, size}
        const auto place = record_at<std::uint16_t>(entry.payload, 4);
        if (!place) return malformed();
        kernel.parameter_base = *place;
        return {};
      }
      case kNumBarriers:
        kernel.barriers = entry.value;
        return {};
      case kBlocksAreClusters:
        kernel.grid_unit = CubinKernel::GridUnit::kClusters;
        return {};
      case kMaxClusterRank: {
        const auto blocks = record_at<std::uint32_t>(entry.payload, 0);
        if (!blocks) return malformed();
        kernel.max_cluster_blocks = *blocks;
        return {};
      }
      case kMaxThreads:
      case kReqNtid:
      case kCtaPerCluster: {
        const auto extent = extent_of(entry);
        if (!extent || extent->count() > UINT32_MAX) return malformed();
        if (entry.attribute == kCtaPerCluster) kernel.cluster = *extent;
        if (entry.attribute == kReqNtid) kernel.required_block = *extent;
        if (entry.attribute != kCtaPerCluster) {
          kernel.max_threads = static_cast<std::uint64_t>(extent->count());
        }
        return {};
      }
      case kExterns:
        return externs_entry(entry, kernel);
      default:
        return {};
    }
  }

  Status externs_entry(const InfoEntry& entry, CubinKernel& kernel) {
    for (std::uint64_t at = 0; at < entry.payload.size(); at += 4) {
      const auto index = record_at<std::uint32_t>(entry.payload, at);
      if (!index || *index >= elf_.symbols().size()) return corrupt("an extern names no symbol");
      kernel.externs.emplace_back(elf_.symbols()[*index].name);
    }
    return {};
  }

  Status parameter_entry(const InfoEntry& entry, CubinKernel& kernel) {
    struct Record {
      std::uint32_t index;
      std::uint16_t ordinal, offset;
      std::uint32_t size;
    };
    const auto record = record_at<Record>(entry.payload, 0);
    if (!record || record->ordinal >= kMaxParameters) {
      return corrupt(fmt::format("a parameter of kernel {} is malformed", printable(kernel.name)));
    }
    // Version 1 packs an alignment, a space and a bank into the lower 18 bits.
    const std::uint32_t bytes =
        entry.attribute == kKparamInfoV2 ? record->size : record->size >> 18;
    if (kernel.parameters.size() <= record->ordinal) kernel.parameters.resize(record->ordinal + 1u);
    kernel.parameters[record->ordinal] = {record->offset, bytes};
    return {};
  }

  // Disjoint, in order and within the block of parameters, so that nobody copies over anything.
  Status check_parameters(const CubinKernel& kernel) const {
    std::uint64_t end = 0;
    for (const CubinParameter& parameter : kernel.parameters) {
      if (parameter.bytes == 0 || parameter.offset < end) {
        return corrupt(fmt::format("parameters of kernel {} overlap", printable(kernel.name)));
      }
      end = std::uint64_t{parameter.offset} + parameter.bytes;
    }
    if (end > kernel.parameter_bytes || kernel.parameter_bytes > kMaxParameterBytes) {
      return corrupt(
          fmt::format("parameters of kernel {} do not fit their size", printable(kernel.name)));
    }
    return {};
  }

  Status read_sections() {
    // From sm_90 on each kernel's section begins with what the system keeps of a block's memory.
    const std::uint64_t reserved = elf_.find(kReservedShared) == nullptr ? 0 : kReservedSharedBytes;
    for (const DeviceSection& section : elf_.sections()) {
      if (!section.name.starts_with(kSharedPrefix)) continue;
      CubinKernel* kernel = kernel_of(section.name.substr(kSharedPrefix.size()));
      if (kernel == nullptr) continue;
      const std::uint64_t own = section.header.sh_size - std::min(section.header.sh_size, reserved);
      if (own > UINT32_MAX) return corrupt("a kernel's shared memory is huge");
      kernel->static_shared = static_cast<std::uint32_t>(own);
    }
    return {};
  }

  static std::optional<PlanSection> plan_section(std::string_view name) {
    if (name == ".nv.global") return PlanSection::kGlobal;
    if (name == ".nv.global.init") return PlanSection::kGlobalInit;
    if (name == ".nv.constant3") return PlanSection::kConstant;
    return std::nullopt;
  }

  Status read_symbols() {
    for (const DeviceSymbol& symbol : elf_.symbols()) {
      const DeviceSection* section = elf_.section_of(symbol);
      if (symbol.type() != STT_OBJECT || section == nullptr) continue;
      const auto where = plan_section(section->name);
      if (!where) continue;
      const std::uint64_t offset = symbol.raw.st_value;
      const std::uint64_t bytes = symbol.raw.st_size;
      if (offset > section->header.sh_size || section->header.sh_size - offset < bytes) {
        return corrupt(fmt::format("variable {} lies outside its section", printable(symbol.name)));
      }
      const auto image = has_relocation(*where, offset, bytes) ? PlanSymbol::Image::kFromLoader
                                                               : PlanSymbol::Image::kFromCubin;
      cubin_.symbols.push_back({std::string(symbol.name), *where, offset, bytes, image});
    }
    const auto rank = [](const PlanSymbol& s) { return std::tie(s.section, s.offset, s.name); };
    std::sort(cubin_.symbols.begin(), cubin_.symbols.end(),
              [&](const PlanSymbol& a, const PlanSymbol& b) { return rank(a) < rank(b); });
    return {};
  }

  bool has_relocation(PlanSection where, std::uint64_t offset, std::uint64_t bytes) {
    if (!relocations_) load_relocations();
    const std::set<std::uint64_t>& positions = (*relocations_)[where];
    const auto first = positions.lower_bound(offset);
    return first != positions.end() && *first - offset < bytes;
  }

  void load_relocations() {
    relocations_.emplace();
    for (const DeviceSection& section : elf_.sections()) {
      if (section.header.sh_type != SHT_RELA && section.header.sh_type != SHT_REL) continue;
      if (section.header.sh_info >= elf_.sections().size()) continue;
      const auto where = plan_section(elf_.sections()[section.header.sh_info].name);
      if (!where) continue;
      const std::size_t step =
          section.header.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
      for (std::uint64_t at = 0; section.bytes.size() - at >= step; at += step) {
        (*relocations_)[*where].insert(record_at<Elf64_Rel>(section.bytes, at)->r_offset);
      }
    }
  }

  const DeviceElf& elf_;
  std::string_view object_;
  Cubin cubin_;
  std::map<std::string, CubinKernel, std::less<>> kernels_;
  std::optional<std::map<PlanSection, std::set<std::uint64_t>>> relocations_;
};

}  // namespace

const CubinKernel* Cubin::find(std::string_view name) const {
  const auto found = std::lower_bound(
      kernels.begin(), kernels.end(), name,
      [](const CubinKernel& kernel, std::string_view wanted) { return kernel.name < wanted; });
  return found != kernels.end() && found->name == name ? &*found : nullptr;
}

Result<Cubin> parse_cubin(std::span<const std::byte> bytes, std::string_view object) {
  std::string reason;
  const auto elf = DeviceElf::parse(bytes, reason);
  if (!elf) {
    return Error{ErrorKind::kCorrupt, "cannot read", std::string(object), std::move(reason), ""};
  }
  return Parser(*elf, object).parse();
}

bool looks_like_cubin(std::span<const std::byte> bytes) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_machine == EM_CUDA;
}

}  // namespace forge
