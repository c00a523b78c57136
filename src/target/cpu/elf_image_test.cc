#include "target/cpu/elf_image.h"

#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "target/cpu/elf_file.h"
#include "target/cpu/test_kernels.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPlain = "extern \"C\" int forge_launch(const void*, void*) { return 0; }\n";

std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string reason_of(const std::string& elf, ImageTrust trust = ImageTrust::kCandidate) {
  auto result = inspect_image(as_bytes(elf), trust);
  if (auto* refused = std::get_if<ImageRefused>(&result)) return refused->reason;
  return "accepted";
}

LoadableImage image_of(const std::string& elf, ImageTrust trust = ImageTrust::kCandidate) {
  auto result = inspect_image(as_bytes(elf), trust);
  if (auto* refused = std::get_if<ImageRefused>(&result)) {
    throw std::runtime_error(refused->reason);
  }
  return std::get<LoadableImage>(std::move(result));
}

class ElfImage : public ::testing::Test {
 protected:
  std::string elf(const CpuCompileRequest& request) {
    return folder_.bytes(folder_.compile(request));
  }
  std::string elf(const std::string& source) { return elf(folder_.request(source)); }
  // Links with flags of an author that can't be had through a source.
  std::string elf_with_flags(const std::string& source, const std::vector<std::string>& flags) {
    CpuCompileRequest request = folder_.request(source);
    request.flags = flags;
    return elf(request);
  }

  // Each under a name of its own: a file that is mapped must not be written again.
  void* load(const LoadableImage& image) {
    const std::string name = "image" + std::to_string(++loads_) + ".so";
    folder_.write(
        name, std::string(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()));
    void* handle = dlopen((folder_.root() / name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    return handle;
  }

  KernelFolder folder_;
  int loads_ = 0;
};

using Launch = int (*)(const void*, void*);
using Initialiser = void (*)(int, char**, char**);

Launch launch_of(void* handle) { return reinterpret_cast<Launch>(dlsym(handle, "forge_launch")); }

void call_initialisers(void* handle, const LoadableImage& image) {
  const link_map* map = nullptr;
  ASSERT_EQ(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
  for (const std::uint64_t slot : image.initialisers) {
    (*reinterpret_cast<Initialiser*>(map->l_addr + slot))(0, nullptr, nullptr);
  }
}

constexpr const char* kWithConstructors = R"(
#include <string>
#include <vector>
static std::vector<std::string> words = {"a", "b", "c"};
struct Counted { int value; Counted() : value(40) {} };
static volatile int noise = 7;
static Counted counted;
__attribute__((constructor)) static void last() { noise = 2; }
extern "C" int forge_launch(const void*, void*) {
  return counted.value + noise + static_cast<int>(words.size());
}
)";

TEST_F(ElfImage, ConstructorsRunOnlyWhenTheirSlotsAreCalled) {
  const LoadableImage image = image_of(elf(kWithConstructors));
  void* handle = load(image);
  EXPECT_EQ(launch_of(handle)(nullptr, nullptr), 7);
  call_initialisers(handle, image);
  EXPECT_EQ(launch_of(handle)(nullptr, nullptr), 40 + 2 + 3);
}

TEST_F(ElfImage, AnUntouchedImageRunsThemOnLoadingSoThatTheTestAboveProvesSomething) {
  const LoadableImage image = image_of(elf(kWithConstructors), ImageTrust::kTrusted);
  EXPECT_TRUE(image.initialisers.empty());
  EXPECT_EQ(launch_of(load(image))(nullptr, nullptr), 40 + 2 + 3);
}

TEST_F(ElfImage, CodeInTheInitSectionNeverRuns) {
  const std::string source = R"(
static int value = 1;
extern "C" __attribute__((used, visibility("hidden"))) void poke() { value = 2; }
asm(".pushsection .init,\"ax\",@progbits\n call poke\n .popsection");
extern "C" int forge_launch(const void*, void*) { return value; }
)";
  const LoadableImage trusted = image_of(elf(source), ImageTrust::kTrusted);
  EXPECT_EQ(launch_of(load(trusted))(nullptr, nullptr), 2) << "the trick works where it is allowed";
  const LoadableImage image = image_of(elf(source));
  void* handle = load(image);
  call_initialisers(handle, image);
  EXPECT_EQ(launch_of(handle)(nullptr, nullptr), 1);
}

TEST_F(ElfImage, DestructorsDoNotRunWhenUnloaded) {
  const LoadableImage image = image_of(elf(R"(
static int* target;
__attribute__((destructor)) static void leave() { if (target) *target = 9; }
extern "C" int forge_launch(const void* p, void*) { target = (int*)p; return 0; }
)"));
  void* handle = load(image);
  int seen = 0;
  launch_of(handle)(&seen, nullptr);
  ASSERT_EQ(dlclose(handle), 0);
  EXPECT_EQ(seen, 0);
}

TEST_F(ElfImage, OpenMpThreadsAndThreadLocalsSurviveThePatch) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "the leak checker stumbles over the OpenMP threads of a library that stays loaded";
#endif
  const LoadableImage image = image_of(elf(R"(
#include <atomic>
#include <thread>
thread_local int mine = 5;
extern "C" int forge_launch(const void*, void*) {
  std::atomic<int> sum = 0;
  #pragma omp parallel for
  for (int i = 0; i < 100; ++i) sum += mine;
  std::thread other([&] { sum += mine; });
  other.join();
  return sum;
}
)"));
  void* handle = load(image);
  call_initialisers(handle, image);
  EXPECT_EQ(launch_of(handle)(nullptr, nullptr), 505);
  for (const std::string& name : image.needed) {
    EXPECT_THAT(candidate_libraries(), ::testing::Contains(name));
  }
}

TEST_F(ElfImage, RefusesIfuncsWhoseResolversRunWhileLoading) {
  EXPECT_THAT(reason_of(elf(R"(
extern "C" { static int real() { return 1; }
static int (*pick())() { return real; }
static int chosen() __attribute__((ifunc("pick"))); }
extern "C" int forge_launch(const void*, void*) { return chosen(); }
)")),
              HasSubstr("ifunc"));
  EXPECT_THAT(reason_of(elf(R"(
extern "C" int real(const void*, void*) { return 1; }
extern "C" int (*pick())(const void*, void*) { return real; }
extern "C" int forge_launch(const void*, void*) __attribute__((ifunc("pick")));
)")),
              HasSubstr("forge_launch"));
  EXPECT_THAT(reason_of(elf(std::string(kPlain) + R"(
extern "C" unsigned long real() { return 1; }
extern "C" unsigned long (*pick())() { return real; }
extern "C" unsigned long forge_workspace() __attribute__((ifunc("pick")));
)")),
              HasSubstr("ifunc"));
}

TEST_F(ElfImage, RefusesWhatTheLoaderWouldDoForAnAuthor) {
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,-rpath,/tmp"})), HasSubstr("DT_RUNPATH"));
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,-rpath,/tmp", "-Wl,--disable-new-dtags"})),
              HasSubstr("DT_RPATH"));
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,--audit=/tmp/a.so"})), HasSubstr("DT_AUDIT"));
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,--depaudit=/tmp/a.so"})),
              HasSubstr("DT_DEPAUDIT"));
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,-F,libm.so.6"})), HasSubstr("DT_FILTER"));
  EXPECT_THAT(reason_of(elf_with_flags(kPlain, {"-Wl,-f,libm.so.6"})), HasSubstr("DT_AUXILIARY"));
}

TEST_F(ElfImage, RefusesLibrariesThatAKernelMayNotUseButNotATrustedReferences) {
  CpuCompileRequest request = folder_.request(kPlain);
  request.libraries = {"anl"};
  request.flags = {"-Wl,--no-as-needed"};
  const std::string bytes = elf(request);
  EXPECT_THAT(reason_of(bytes), HasSubstr("libanl.so.1"));
  EXPECT_EQ(reason_of(bytes, ImageTrust::kTrusted), "accepted");
}

TEST_F(ElfImage, RefusesAKernelWithoutForgeLaunch) {
  const std::string none = elf("extern \"C\" int forge_lunch() { return 0; }");
  EXPECT_THAT(reason_of(none), HasSubstr("does not define forge_launch"));
  EXPECT_THAT(reason_of(none, ImageTrust::kTrusted), HasSubstr("does not define forge_launch"));
  EXPECT_THAT(reason_of(elf("extern \"C\" int forge_launch = 3;")),
              HasSubstr("does not define forge_launch"));
  EXPECT_THAT(reason_of(elf("int forge_launch(const void*, void*) { return 0; }")),
              HasSubstr("does not define forge_launch"));
}

// Finds the file offset of the dynamic entry with `tag` by walking the real headers.
std::size_t dynamic_entry(const std::string& elf, std::int64_t tag) {
  const auto file = ElfFile::parse(as_bytes(elf));
  if (!file) throw std::runtime_error(file.error().reason);
  for (const ElfDynamicEntry& entry : file->dynamic()) {
    if (entry.tag == tag) return entry.file_offset;
  }
  throw std::runtime_error("no such tag");
}

std::size_t program_header(const std::string& elf, std::uint32_t type) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::size_t offset = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr entry;
    std::memcpy(&entry, elf.data() + offset, sizeof entry);
    if (entry.p_type == type) return offset;
  }
  throw std::runtime_error("no such header");
}

template <typename T>
std::string with(std::string elf, std::size_t offset, T value) {
  std::memcpy(elf.data() + offset, &value, sizeof value);
  return elf;
}

TEST_F(ElfImage, RefusesTagsAndSegmentsThatNoCompilerOfOursWrites) {
  const std::string good = elf(kPlain);
  ASSERT_EQ(reason_of(good), "accepted");
  const std::size_t relacount = dynamic_entry(good, DT_RELACOUNT);
  for (const auto& [tag, name] :
       std::vector<std::pair<std::int64_t, std::string>>{{DT_CONFIG, "DT_CONFIG"},
                                                         {DT_TEXTREL, "DT_TEXTREL"},
                                                         {DT_PREINIT_ARRAY, "DT_PREINIT_ARRAY"},
                                                         {DT_REL, "DT_REL"},
                                                         {DT_STRTAB, "twice"}}) {
    EXPECT_THAT(reason_of(with(good, relacount, tag)), HasSubstr(name));
  }
  const std::size_t flags = dynamic_entry(good, DT_FLAGS);
  EXPECT_THAT(reason_of(with(good, flags + 8, std::uint64_t{DF_TEXTREL})), HasSubstr("DF_TEXTREL"));
  const std::size_t stack = program_header(good, PT_GNU_STACK);
  constexpr std::uint32_t kAll = PF_R | PF_W | PF_X;
  EXPECT_THAT(reason_of(with(good, stack + 4, kAll)), HasSubstr("executable stack"));
  EXPECT_THAT(reason_of(with(good, stack, std::uint32_t{PT_NULL})), HasSubstr("executable stack"));
  const std::size_t load = program_header(good, PT_LOAD);
  EXPECT_THAT(reason_of(with(good, load + 4, kAll)), HasSubstr("writable and executable"));
}

TEST_F(ElfImage, APatchedImageStaysPatchedAndIsNotArmedAgainByASecondInspection) {
  const LoadableImage first = image_of(elf(kWithConstructors));
  const std::string patched(reinterpret_cast<const char*>(first.bytes.data()), first.bytes.size());
  const LoadableImage second = image_of(patched);
  EXPECT_TRUE(second.initialisers.empty());
  EXPECT_EQ(second.bytes, first.bytes);
}

TEST_F(ElfImage, EveryTruncationIsRefusedOrKeepsAllThatIsLoaded) {
  const std::string good = elf(kPlain);
  std::size_t loaded = 0;
  Elf64_Ehdr header;
  std::memcpy(&header, good.data(), sizeof header);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr entry;
    std::memcpy(&entry, good.data() + header.e_phoff + i * sizeof entry, sizeof entry);
    if (entry.p_type == PT_LOAD) {
      loaded = std::max<std::size_t>(loaded, entry.p_offset + entry.p_filesz);
    }
  }
  for (std::size_t size = 0; size < good.size(); size += 13) {
    EXPECT_EQ(reason_of(good.substr(0, size)) == "accepted", size >= loaded) << size;
  }
}

TEST_F(ElfImage, RandomDamageNeverReadsOutOfBounds) {
  const std::string good = elf(kWithConstructors);
  Random random(1);
  std::size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    // The interesting bytes: headers and the tables that the dynamic segment points to.
    for (int i = 0; i < 3; ++i) bad[random.below(4096)] = static_cast<char>(random.next());
    refused += reason_of(bad) != "accepted" ? 1 : 0;
  }
  EXPECT_GT(refused, 100u);
}

TEST(ElfImageBytes, RefusesWhatIsNoSharedObjectForThisMachine) {
  EXPECT_THAT(reason_of(""), HasSubstr("no ELF file"));
  EXPECT_THAT(reason_of("#!/bin/sh\n"), HasSubstr("no ELF file"));
  std::string header(sizeof(Elf64_Ehdr), '\0');
  header.replace(0, 4, ELFMAG);
  EXPECT_THAT(reason_of(header), HasSubstr("64-bit x86"));
}

}  // namespace
}  // namespace forge
