#include "target/cuda/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::uint64_t kListingBytes = 256ull << 20;
constexpr auto kWall = std::chrono::minutes(2);

struct Class {
  std::string_view opcode;  // up to the first dot
  std::string_view name;
};

// Opcodes as nvdisasm 13 spells them; the CUDA Binary Utilities manual lists them by architecture.
constexpr auto kClasses = std::to_array<Class>({
    {"HGMMA", "HGMMA"},     {"QGMMA", "QGMMA"},       {"IGMMA", "IGMMA"},    {"HMMA", "HMMA"},
    {"QMMA", "QMMA"},       {"IMMA", "IMMA"},         {"DMMA", "DMMA"},      {"UTCHMMA", "UTCMMA"},
    {"UTCQMMA", "UTCMMA"},  {"UTCIMMA", "UTCMMA"},    {"UTCOMMA", "UTCMMA"}, {"UTMALDG", "UTMALDG"},
    {"UTMASTG", "UTMASTG"}, {"UTMAREDG", "UTMAREDG"}, {"UBLKCP", "UBLKCP"},  {"LDGSTS", "LDGSTS"},
    {"LDL", "LDL"},         {"STL", "STL"},           {"LDSM", "LDSM"},      {"STSM", "STSM"},
    {"LDS", "LDS"},         {"STS", "STS"},           {"BAR", "BAR"},        {"SYNCS", "SYNCS"},
    {"ATOM", "ATOM"},       {"ATOMG", "ATOM"},        {"ATOMS", "ATOMS"},    {"RED", "RED"},
    {"REDG", "RED"},        {"FFMA", "FFMA"},         {"FFMA2", "FFMA"},     {"DFMA", "DFMA"},
    {"HFMA2", "HFMA2"},     {"MUFU", "MUFU"},         {"SHFL", "SHFL"},
});

// Loads and stores of global memory, by the bits that each thread moves.
struct Width {
  std::string_view part;  // of the mnemonic, between dots
  std::string_view load;
  std::string_view store;
};
constexpr auto kWidths = std::to_array<Width>({
    {"256", "LDG.256", "STG.256"},
    {"128", "LDG.128", "STG.128"},
    {"64", "LDG.64", "STG.64"},
    {"U8", "LDG.8", "STG.8"},
    {"S8", "LDG.8", "STG.8"},
    {"U16", "LDG.16", "STG.16"},
    {"S16", "LDG.16", "STG.16"},
});
constexpr std::string_view kPlainLoad = "LDG.32";
constexpr std::string_view kPlainStore = "STG.32";

std::string_view global_class(std::string_view mnemonic, bool load) {
  for (const std::string& part : split(mnemonic, '.')) {
    const auto width = std::find_if(kWidths.begin(), kWidths.end(),
                                    [&](const Width& each) { return each.part == part; });
    if (width != kWidths.end()) return load ? width->load : width->store;
  }
  return load ? kPlainLoad : kPlainStore;
}

SassCounts no_counts() {
  SassCounts counts;
  for (const Class& each : kClasses) counts[std::string(each.name)] = 0;
  for (const Width& each : kWidths) {
    counts[std::string(each.load)] = 0;
    counts[std::string(each.store)] = 0;
  }
  counts[std::string(kPlainLoad)] = 0;
  counts[std::string(kPlainStore)] = 0;
  return counts;
}

// "LDG.E" of "        /*0070*/              @!P0 LDG.E R2, desc[UR36][R2.64] ;"; empty if none.
std::string_view mnemonic_of(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("/*")) return {};
  const std::size_t end = line.find("*/");
  if (end == std::string_view::npos) return {};
  line = trim(line.substr(end + 2));
  if (line.starts_with("@")) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return {};
    line = trim(line.substr(space));
  }
  return line.substr(0, std::min(line.find_first_of(" ;"), line.size()));
}

}  // namespace

std::string_view sass_class(std::string_view mnemonic) {
  const std::string_view opcode = mnemonic.substr(0, std::min(mnemonic.find('.'), mnemonic.size()));
  if (opcode == "LDG" || opcode == "STG") return global_class(mnemonic, opcode == "LDG");
  const auto found = std::find_if(kClasses.begin(), kClasses.end(),
                                  [&](const Class& each) { return each.opcode == opcode; });
  return found == kClasses.end() ? std::string_view() : found->name;
}

std::map<std::string, SassCounts> count_sass(std::string_view listing) {
  constexpr std::string_view kSection = ".text.";
  std::map<std::string, SassCounts> kernels;
  SassCounts* current = nullptr;
  for (std::size_t at = 0; at < listing.size();) {
    const std::size_t end = std::min(listing.find('\n', at), listing.size());
    const std::string_view line = listing.substr(at, end - at);
    at = end + 1;
    // The label that opens a kernel's code.
    if (line.starts_with(kSection) && line.ends_with(':')) {
      std::string name(line.substr(kSection.size(), line.size() - kSection.size() - 1));
      current = &kernels.emplace(std::move(name), no_counts()).first->second;
    } else if (current != nullptr) {
      const std::string_view name = sass_class(mnemonic_of(line));
      if (!name.empty()) ++(*current)[std::string(name)];
    }
  }
  return kernels;
}

std::optional<std::string> find_disassembler(const CudaToolkit& toolkit, Fs& fs,
                                             ProcessRunner& processes) {
  std::vector<std::string> places;
  const char* chosen = std::getenv("FK_NVDISASM");
  if (chosen != nullptr && *chosen != '\0') {
    places.emplace_back(chosen);
  } else {
    const Path own = toolkit.root / "bin" / "nvdisasm";
    if (fs.exists(own)) places.push_back(own.string());
    places.emplace_back("nvdisasm");
  }
  for (const std::string& place : places) {
    ProcessSpec spec;
    spec.argv = {place, "--version"};
    spec.limits.wall = std::chrono::seconds(30);
    const auto result = processes.run(spec);
    if (result && result->succeeded()) return place;
  }
  return std::nullopt;
}

Result<std::map<std::string, SassCounts>> disassemble(const std::string& disassembler,
                                                      const Path& cubin, ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {disassembler, "-c", cubin.string()};
  spec.environment = {{"LC_ALL", "C"}};
  spec.limits.wall = kWall;
  spec.limits.captured_output_bytes = kListingBytes;
  FORGE_TRY(const ProcessResult result, processes.run(spec));
  if (!result.succeeded() || result.output_was_cut) {
    return Error{ErrorKind::kInfrastructure, "cannot disassemble", cubin.filename().string(),
                 fmt::format("{} {}: {}", disassembler, result.describe_end(),
                             clip(printable(result.standard_error), 200)),
                 "use an nvdisasm that knows this architecture, or set FK_NVDISASM"};
  }
  return count_sass(result.standard_output);
}

}  // namespace forge
