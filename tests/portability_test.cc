// The executables must start on a bare host with glibc 2.35: no symbol of a newer one, no shared
// library but libc's own. Reads the dynamic section's symbols with their versions from the ELF
// file.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace forge {
namespace {

using testing::IsEmpty;

struct NeededSymbol {
  std::string name;
  std::string version;  // "GLIBC_2.34"
};

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    bytes_ = content.str();
    const bool is_elf = bytes_.size() >= sizeof(Elf64_Ehdr) && bytes_.compare(0, 4, ELFMAG) == 0;
    if (!is_elf) throw std::runtime_error(path + " is no ELF file");
    const auto header = at<Elf64_Ehdr>(0);
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize);
      sections_.push_back(section);
      by_type_[section.sh_type] = section;
    }
  }

  // Undefined symbols that carry a version.
  std::vector<NeededSymbol> needed_symbols() const {
    std::vector<NeededSymbol> result;
    const auto versions = needed_versions();
    const auto symbols = by_type_.at(SHT_DYNSYM);
    const auto indices = by_type_.at(SHT_GNU_versym);
    for (std::size_t i = 0; i < symbols.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(symbols.sh_offset + i * sizeof(Elf64_Sym));
      const auto index = at<Elf64_Half>(indices.sh_offset + i * sizeof(Elf64_Half)) & 0x7fff;
      const auto version = versions.find(index);
      if (symbol.st_shndx != SHN_UNDEF || version == versions.end()) continue;
      result.push_back({text(symbols, symbol.st_name), version->second});
    }
    return result;
  }

  std::vector<std::string> needed_libraries() const {
    std::vector<std::string> result;
    const auto dynamic = by_type_.at(SHT_DYNAMIC);
    for (std::size_t i = 0; i < dynamic.sh_size / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(dynamic.sh_offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NEEDED) result.push_back(text(dynamic, entry.d_un.d_val));
    }
    return result;
  }

 private:
  template <typename T>
  T at(std::size_t offset) const {
    T value;
    if (offset + sizeof value > bytes_.size()) throw std::runtime_error("truncated ELF file");
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  // From the string table that belongs to a section.
  std::string text(const Elf64_Shdr& section, std::size_t offset) const {
    return bytes_.c_str() + sections_.at(section.sh_link).sh_offset + offset;
  }

  // Index in the symbols' version table -> name.
  std::map<int, std::string> needed_versions() const {
    std::map<int, std::string> result;
    const auto found = by_type_.find(SHT_GNU_verneed);
    if (found == by_type_.end()) return result;
    std::size_t need_at = found->second.sh_offset;
    for (std::size_t left = found->second.sh_info; left > 0; --left) {
      const auto need = at<Elf64_Verneed>(need_at);
      std::size_t version_at = need_at + need.vn_aux;
      for (int i = 0; i < need.vn_cnt; ++i) {
        const auto version = at<Elf64_Vernaux>(version_at);
        result[version.vna_other] = text(found->second, version.vna_name);
        version_at += version.vna_next;
      }
      need_at += need.vn_next;
    }
    return result;
  }

  std::string bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::map<unsigned, Elf64_Shdr> by_type_;
};

// "GLIBC_2.34" -> {2, 34}; {0, 0} for versions of other kinds, like GLIBC_PRIVATE.
std::pair<int, int> glibc_version(const std::string& version) {
  int major = 0;
  int minor = 0;
  if (std::sscanf(version.c_str(), "GLIBC_%d.%d", &major, &minor) != 2) return {0, 0};
  return {major, minor};
}

bool is_too_new(const std::string& version) { return glibc_version(version) > std::pair(2, 35); }

std::vector<std::string> executables() {
  std::vector<std::string> paths;
  std::istringstream list(FORGE_EXECUTABLES);
  for (std::string path; std::getline(list, path, ':');) {
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

TEST(Portability, NoSymbolNeedsAGlibcNewerThan235) {
  if (executables().empty()) GTEST_SKIP() << "this build has no executables";
  for (const std::string& path : executables()) {
    std::vector<std::string> too_new;
    for (const NeededSymbol& symbol : ElfFile(path).needed_symbols()) {
      if (is_too_new(symbol.version)) too_new.push_back(symbol.name + "@" + symbol.version);
    }
    EXPECT_THAT(too_new, IsEmpty()) << path;
  }
}

TEST(Portability, OnlyLibcIsASharedLibrary) {
  if (executables().empty()) GTEST_SKIP() << "this build has no executables";
  if (FORGE_SANITIZED) GTEST_SKIP() << "sanitizers are shared libraries";
  const std::set<std::string> allowed{"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"};
  for (const std::string& path : executables()) {
    for (const std::string& library : ElfFile(path).needed_libraries()) {
      EXPECT_TRUE(allowed.contains(library)) << path << " needs " << library;
    }
  }
}

TEST(PortabilityCheck, FindsTheVersionedSymbolsOfThisProgram) {
  std::set<std::string> names;
  std::set<std::string> versions;
  for (const NeededSymbol& symbol : ElfFile("/proc/self/exe").needed_symbols()) {
    names.insert(symbol.name);
    versions.insert(symbol.version);
  }
  EXPECT_TRUE(names.contains("__libc_start_main"));
  EXPECT_TRUE(versions.contains("GLIBC_2.2.5"));
  EXPECT_THAT(ElfFile("/proc/self/exe").needed_libraries(), testing::Contains("libc.so.6"));
}

TEST(PortabilityCheck, ComparesVersionsAsNumbers) {
  EXPECT_FALSE(is_too_new("GLIBC_2.2.5"));
  EXPECT_FALSE(is_too_new("GLIBC_2.35"));
  EXPECT_TRUE(is_too_new("GLIBC_2.36"));
  EXPECT_TRUE(is_too_new("GLIBC_2.100"));
  EXPECT_TRUE(is_too_new("GLIBC_3.0"));
  EXPECT_FALSE(is_too_new("GLIBCXX_3.4.30"));
}

}  // namespace
}  // namespace forge
