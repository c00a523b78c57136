#include "target/cuda/device_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "target/cuda/cubin.h"
#include "target/cuda/device_elf.h"

namespace forge {
namespace {

constexpr std::uint32_t kFatbinMagic = 0xba55ed50;
constexpr std::size_t kMaxEntries = 4096;

struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // behind the header
};

struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // behind the header
  std::uint32_t compressed_bytes;
  std::uint32_t reserved;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t sm;
};

FatbinKind kind_of(std::uint16_t kind) {
  return kind == 1 ? FatbinKind::kPtx : kind == 2 ? FatbinKind::kCubin : FatbinKind::kOther;
}

bool begins_with(std::span<const std::byte> bytes, std::span<const std::byte> prefix) {
  return bytes.size() >= prefix.size() &&
         std::memcmp(bytes.data(), prefix.data(), prefix.size()) == 0;
}

// Calls `visit` with what follows each place where `pattern` stands, until it returns a reason.
template <typename Visit>
std::optional<std::string> at_each(std::span<const std::byte> image, std::string_view pattern,
                                   Visit visit) {
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  for (std::size_t at = text.find(pattern); at != std::string_view::npos;
       at = text.find(pattern, at + 1)) {
    if (auto reason = visit(image.subspan(at))) return reason;
  }
  return std::nullopt;
}

}  // namespace

Result<Fatbin> parse_fatbin(std::span<const std::byte> bytes, std::string_view object) {
  const auto corrupt = [&](const char* cause) {
    return Error{ErrorKind::kCorrupt, "cannot read", std::string(object), cause, ""};
  };
  const auto header = record_at<FatbinHeader>(bytes, 0);
  if (!header || header->magic != kFatbinMagic) return corrupt("it is no fatbin");
  if (header->header_bytes < sizeof(FatbinHeader) || header->header_bytes > bytes.size() ||
      bytes.size() - header->header_bytes < header->bytes) {
    return corrupt("the fatbin reaches beyond its end");
  }
  Fatbin fatbin;
  fatbin.bytes = header->header_bytes + header->bytes;
  std::span<const std::byte> rest = bytes.subspan(header->header_bytes, header->bytes);
  while (!rest.empty()) {
    const auto entry = record_at<EntryHeader>(rest, 0);
    if (!entry || entry->header_bytes < sizeof(EntryHeader) || entry->header_bytes > rest.size() ||
        rest.size() - entry->header_bytes < entry->bytes || fatbin.entries.size() == kMaxEntries) {
      return corrupt("an entry of the fatbin is malformed");
    }
    fatbin.entries.push_back({kind_of(entry->kind), entry->sm, entry->compressed_bytes != 0,
                              rest.subspan(entry->header_bytes, entry->bytes)});
    rest = rest.subspan(entry->header_bytes + entry->bytes);
  }
  return fatbin;
}

std::optional<std::string> foreign_device_code(std::span<const std::byte> image,
                                               std::span<const std::byte> cubin) {
  using Refusal = std::optional<std::string>;
  int containers = 0;
  const auto in_container = [&](std::span<const std::byte> bytes) -> Refusal {
    const auto fatbin = parse_fatbin(bytes, "device code");
    if (!fatbin || fatbin->entries.empty()) return std::nullopt;
    if (++containers > 1) return "it holds a second container of device code";
    for (const FatbinEntry& entry : fatbin->entries) {
      if (entry.kind != FatbinKind::kCubin || entry.compressed ||
          !begins_with(entry.payload, cubin)) {
        return "its container of device code is not the one that was compiled from its source";
      }
    }
    return std::nullopt;
  };
  if (auto reason = at_each(image, std::string_view("\x50\xed\x55\xba", 4), in_container)) {
    return reason;
  }
  return at_each(image,
                 std::string_view("\x7f"
                                  "ELF",
                                  4),
                 [&](std::span<const std::byte> bytes) -> Refusal {
                   if (!looks_like_cubin(bytes) || begins_with(bytes, cubin)) return std::nullopt;
                   return "it holds device code that was not compiled from its source";
                 });
}

}  // namespace forge
