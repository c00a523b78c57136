#include "target/cpu/compile.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "sys/process_fake.h"
#include "target/cpu/elf_file.h"
#include "target/cpu/test_kernels.h"

namespace forge {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr const char* kPlain =
    "#include <forge_args.h>\n"
    "extern \"C\" int forge_launch(const Args* a, void*) { a->x[0] = 1; return 0; }\n";

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  ~EnvironmentVariable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::vector<std::string> exported_names(const std::string& elf) {
  const auto file = ElfFile::parse({reinterpret_cast<const std::byte*>(elf.data()), elf.size()});
  if (!file) throw std::runtime_error(file.error().reason);
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i < file->symbol_count(); ++i) {
    const auto symbol = file->symbol(i);
    if (symbol && symbol->defined) names.emplace_back(symbol->name);
  }
  return names;
}

std::size_t folders_in(const Path& folder) {
  if (!std::filesystem::exists(folder)) return 0;
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

class CompileForCpu : public ::testing::Test {
 protected:
  EnvironmentVariable no_choice_{"FK_CXX", nullptr};
  KernelFolder folder_;
};

TEST_F(CompileForCpu, AKernelRunsAfterLoading) {
  const CpuArtefact artefact = folder_.compile(kPlain);
  void* handle = dlopen(artefact.shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto launch = reinterpret_cast<int (*)(const void*, void*)>(dlsym(handle, "forge_launch"));
  float x = 0;
  const struct {
    float* x;
  } args{&x};
  EXPECT_EQ(launch(&args, nullptr), 0);
  EXPECT_EQ(x, 1);
  EXPECT_THAT(artefact.compiler, HasSubstr("12"));
  EXPECT_EQ(artefact.shared_object,
            folder_.root() / "cache/build" / artefact.source_digest.hex / "kernel.so");
}

TEST_F(CompileForCpu, ExportsTheInterfaceAndNothingThatCouldReplaceAnothersSymbols) {
  const CpuArtefact artefact = folder_.compile(R"(
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>
inline int shared_counter = 0;
template <typename T> struct Unique { static inline T value{}; };
void* operator new(std::size_t n) { return std::malloc(n + 1); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
extern "C" __attribute__((visibility("default"))) int clock_gettime(int, void*) { return 0; }
extern "C" __attribute__((weak)) int helper() { return Unique<int>::value; }
extern "C" int forge_launch(const void*, void*) {
  std::vector<int> v(9);
  return helper() + shared_counter + clock_gettime(0, &v);
}
extern "C" std::size_t forge_workspace(const void*) { return 64; }
)");
  EXPECT_THAT(exported_names(folder_.bytes(artefact)),
              UnorderedElementsAre("forge_launch", "forge_workspace"));
}

TEST_F(CompileForCpu, FlagsThatHideOrAttributesThatHideOthersDoNotHideTheInterface) {
  CpuCompileRequest request = folder_.request(kPlain);
  request.flags = {"-fno-exceptions", "-ffunction-sections", "-Wl,--gc-sections"};
  EXPECT_THAT(exported_names(folder_.bytes(folder_.compile(request))),
              UnorderedElementsAre("forge_launch"));
}

TEST_F(CompileForCpu, TheSameSourceGivesTheSameBytesWhereverItLies) {
  const std::string source = R"(
#include <forge_args.h>
#include <cstdio>
namespace { int hidden(int x) { return x * 3; } }
extern "C" int forge_launch(const Args* a, void*) {
  std::puts(__FILE__ __DATE__ __TIME__ __TIMESTAMP__ __BASE_FILE__);
  #pragma omp parallel for
  for (int i = 0; i < 64; ++i) a->x[i] = static_cast<float>(hidden(i));
  return 0;
})";
  KernelFolder other;
  const CpuArtefact first = folder_.compile(source);
  const CpuArtefact second = other.compile(source);
  EXPECT_EQ(first.source_digest, second.source_digest);
  EXPECT_EQ(first.object_digest, second.object_digest);
  const std::string bytes = folder_.bytes(first);
  EXPECT_EQ(bytes, other.bytes(second));
  EXPECT_EQ(bytes.find(folder_.root().string()), std::string::npos);
}

TEST_F(CompileForCpu, ASecondTimeStartsNoCompiler) {
  const CpuCompileRequest request = folder_.request(kPlain);
  const CpuArtefact first = folder_.compile(request);
  const auto written = std::filesystem::last_write_time(first.shared_object);
  const CpuArtefact again = folder_.compile(request);
  EXPECT_EQ(again.object_digest, first.object_digest);
  EXPECT_EQ(again.command, first.command);
  EXPECT_EQ(again.compiler, first.compiler);
  EXPECT_EQ(std::filesystem::last_write_time(again.shared_object), written);
  EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 1u);
}

TEST_F(CompileForCpu, EverythingThatGoesInChangesTheDigest) {
  const std::string source =
      "#include <forge_args.h>\nFORGE_TUNABLE(int, kVec, 8, 4, 8);\n"
      "extern \"C\" int forge_launch(const Args*, void*) { return kVec; }\n";
  std::vector<std::string> digests;
  CpuCompileRequest request = folder_.request(source);
  const auto compile = [&] { digests.push_back(folder_.compile(request).source_digest.hex); };
  compile();
  request.tunables = {{"kVec", "4"}};
  compile();
  request.flags = {"-DNDEBUG"};
  compile();
  request.standard = "gnu++20";
  compile();
  folder_.write("header/forge_args.h", "#pragma once\n#include <forge/kernel.h>\nstruct Args;\n");
  compile();
  folder_.write("arm/kernel.cpp", source + "\n");
  compile();
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::unique(digests.begin(), digests.end()), digests.end());
}

TEST_F(CompileForCpu, TunablesReachTheKernelAndAreCheckedAgainstItsValues) {
  CpuCompileRequest request = folder_.request(
      "#include <forge_args.h>\nFORGE_TUNABLE(int, kVec, 8, 4, 8);\n"
      "static_assert(kVec == 4);\n"
      "extern \"C\" int forge_launch(const Args*, void*) { return kVec; }\n");
  EXPECT_THAT(folder_.diagnostics(request), HasSubstr("static assertion failed"));
  request.tunables = {{"kVec", "4"}};
  folder_.compile(request);
  request.tunables = {{"kVec", "5"}};
  EXPECT_THAT(folder_.diagnostics(request), HasSubstr("that its declaration does not list"));
}

TEST_F(CompileForCpu, EveryElementTypeOfTheKernelHeaderVectorisesIntoAKernelThatLinks) {
  const CpuArtefact artefact = folder_.compile(R"(
#include <forge_args.h>
#include <vector>
template <typename T> static float turn(const T* in, T* out, int n) {
  float sum = 0;
  #pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    const float v = forge::to_float(in[i]);
    sum += v;
    out[i] = forge::from_float<T>(2 * v);
  }
  return sum;
}
template <typename T> static float all() {
  std::vector<T> in(100, forge::from_float<T>(1.5f)), out(100);
  return turn(in.data(), out.data(), 100) + forge::to_float(out[99]);
}
FORGE_STRUCTURE(bool, kTwoPass, true, false, true);
FORGE_REQUIRE(kTwoPass || sizeof(Args) > 0);
extern "C" int forge_launch(const Args* args, void*) {
  *args->x = all<float>() + all<forge::bf16>() + all<forge::f16>() + all<forge::f8_e5m2>() +
             all<forge::f8_e4m3>();
  return 0;
}
)");
  void* handle = dlopen(artefact.shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto launch = reinterpret_cast<int (*)(const void*, void*)>(dlsym(handle, "forge_launch"));
  float x = 0;
  const struct {
    float* x;
  } args{&x};
  ASSERT_EQ(launch(&args, nullptr), 0);
  EXPECT_EQ(x, 5 * (150.f + 3.f));
}

TEST_F(CompileForCpu, DiagnosticsNameTheFileWithoutItsFolderAndKeepTheSource) {
  const std::string log = folder_.diagnostics(
      "#include <forge_args.h>\n"
      "extern \"C\" int forge_launch(const Args* a, void*) { return a->missing; }\n");
  EXPECT_THAT(log, HasSubstr("kernel.cpp:2:"));
  EXPECT_THAT(log, HasSubstr("'const struct Args' has no member named 'missing'"));
  EXPECT_THAT(log, HasSubstr("    2 | extern \"C\" int forge_launch"));
  EXPECT_THAT(log, Not(HasSubstr(folder_.root().string())));
  EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 0u) << "nothing may be left behind";
}

TEST_F(CompileForCpu, UndefinedFunctionsAreDiagnosedAtLinkTime) {
  const std::string log = folder_.diagnostics(
      "int missing();\nextern \"C\" int forge_launch(const void*, void*) { return missing(); }\n");
  EXPECT_THAT(log, HasSubstr("undefined reference to `missing()'"));
}

TEST_F(CompileForCpu, FilesOutsideTheFoldersOfAKernelCanBeNeitherUsedNorRead) {
  folder_.write("job.h", "constexpr int secret_seed = 4711;\n");
  folder_.write("arm/job.json", "{ \"seeds\": [4711] }\n");
  const std::string launch = "extern \"C\" int forge_launch(const void*, void*) { return 0; }\n";
  const std::string job = (folder_.root() / "job.h").string();
  const auto refused = [&](const std::string& text) {
    const std::string reason = folder_.refusal(text + launch);
    EXPECT_THAT(reason, Not(HasSubstr("4711")));
    EXPECT_THAT(reason, Not(HasSubstr("seeds")));
    return reason;
  };
  EXPECT_THAT(refused("#include \"../job.h\"\n"), HasSubstr("kernel.cpp reads job.h, which lies"));
  EXPECT_THAT(refused("# 1 \"/usr/include/x.h\" 1 3\n#include \"" + job + "\"\n"),
              HasSubstr("reads job.h"));
  EXPECT_THAT(refused("#include \"job.json\"\n"), HasSubstr("reads job.json"));
  EXPECT_THAT(refused("#include \"/proc/self/environ\"\n"), HasSubstr("reads environ"));
  EXPECT_THAT(refused("asm(\".incbin \\\"" + job + "\\\"\");\n"), HasSubstr("reads job.h"));
  EXPECT_THAT(refused("asm(\".include \\\"" + job + "\\\"\");\n"), HasSubstr("reads job.h"));
  EXPECT_THAT(refused("asm(\".incbin \\\"../../../job.h\\\"\");\n"), HasSubstr("reads job.h"));
  EXPECT_THAT(refused("#include \"" + job + ".none\"\n"), HasSubstr("reads job.h.none"))
      << "whether a file is there must not show";
  // A caret under a line of a file that #line claims.
  EXPECT_THAT(folder_.diagnostics("#line 1 \"" + job + "\"\nint x = missing;\n" + launch),
              Not(HasSubstr("4711")));
  EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 0u);
}

TEST_F(CompileForCpu, WithoutTheConfinementTheListsOfFilesReadStillRefuse) {
  folder_.write("job.h", "constexpr int secret_seed = 4711;\n");
  const std::string launch = "extern \"C\" int forge_launch(const void*, void*) { return 0; }\n";
  CpuCompileRequest request = folder_.request("#include \"../job.h\"\n" + launch);
  request.rights = CompilerRights::kOurs;
  EXPECT_THAT(folder_.refusal(request), HasSubstr("reads job.h"));
  request = folder_.request("asm(\".section .rodata\\n.incbin \\\"" +
                            (folder_.root() / "job.h").string() + "\\\"\\n.text\");\n" + launch);
  request.rights = CompilerRights::kOurs;
  EXPECT_THAT(folder_.refusal(request), HasSubstr("reads job.h"));
}

TEST_F(CompileForCpu, AMisspeltHeaderIsAnOrdinaryError) {
  EXPECT_THAT(folder_.diagnostics("#include <vectr>\n"), HasSubstr("vectr"));
  EXPECT_THAT(folder_.diagnostics("#include \"forge_arg.h\"\n"), HasSubstr("forge_arg.h"));
}

TEST_F(CompileForCpu, VariablesThatAddFoldersToSearchesAreNotPassedOn) {
  std::filesystem::create_directories(folder_.root() / "elsewhere");
  folder_.write("elsewhere/hidden.h", "constexpr int kValue = 3;\n");
  const EnvironmentVariable path("CPATH", (folder_.root() / "elsewhere").c_str());
  EXPECT_THAT(folder_.diagnostics("#include <hidden.h>\n"), HasSubstr("hidden.h"));
}

TEST_F(CompileForCpu, FoldersOfTheProblemMayBeIncludedFrom) {
  std::filesystem::create_directories(folder_.root() / "extra/deep");
  folder_.write("extra/deep/value.h", "constexpr int kValue = 3;\n");
  CpuCompileRequest request = folder_.request(
      "#include \"deep/value.h\"\n"
      "extern \"C\" int forge_launch(const void*, void*) { return kValue; }\n");
  request.problem_includes = {folder_.root() / "extra"};
  const CpuArtefact first = folder_.compile(request);
  folder_.write("extra/deep/value.h", "constexpr int kValue = 4;\n");
  EXPECT_NE(folder_.compile(request).object_digest, first.object_digest);
}

TEST_F(CompileForCpu, ACompilerThatNeverEndsIsTheKernelsFaultAndSaysSo) {
  CpuCompileRequest request = folder_.request(
      "template <unsigned long N, unsigned long M> struct F {\n"
      "  static constexpr unsigned long v = F<N - 1, M>::v + F<N - 1, M + N>::v; };\n"
      "template <unsigned long M> struct F<0, M> { static constexpr unsigned long v = M; };\n"
      "extern \"C\" int forge_launch(const void*, void*) { return F<300, 1>::v; }\n");
  request.wall = std::chrono::milliseconds(500);
  EXPECT_THAT(folder_.refusal(request), HasSubstr("did not finish within 500 ms"));
  EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 0u);
}

TEST_F(CompileForCpu, AnObjectBeyondTheLimitIsTheKernelsFaultAndSaysSo) {
  const std::string log = folder_.refusal(
      "extern char big[1u << 29];\n"
      "asm(\".data\\n.globl big\\nbig: .fill 0x20000000, 1, 7\\n\");\n"
      "extern \"C\" int forge_launch(const void*, void*) { return big[5]; }\n");
  EXPECT_THAT(log, HasSubstr("larger than 256"));
}

TEST_F(CompileForCpu, ADamagedArtefactIsMadeAnew) {
  const CpuCompileRequest request = folder_.request(kPlain);
  const CpuArtefact first = folder_.compile(request);
  const std::string good = folder_.bytes(first);
  ASSERT_TRUE(folder_.fs().write_atomic(first.shared_object, good.substr(0, 100)));
  EXPECT_EQ(folder_.bytes(folder_.compile(request)), good);
}

TEST_F(CompileForCpu, TwoAtOnceDoNotDisturbEachOther) {
  const CpuCompileRequest request = folder_.request(kPlain);
  std::array<std::string, 2> digests;
  std::array<std::thread, 2> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads[i] = std::thread([&, i] {
      auto fs = make_real_fs();
      auto processes = make_real_process_runner();
      auto result = compile_for_cpu(request, *fs, *processes);
      if (result) digests[i] = std::get<CpuArtefact>(*result).object_digest.hex;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(digests[0].empty());
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 1u);
}

TEST_F(CompileForCpu, TheCommandBuildsTheSameObjectByHand) {
  const CpuArtefact artefact = folder_.compile(kPlain);
  ProcessSpec spec;
  spec.argv = artefact.command;
  spec.working_directory = artefact.shared_object.parent_path();
  const std::string before = folder_.bytes(artefact);
  std::filesystem::remove(artefact.shared_object);
  auto result = make_real_process_runner()->run(spec);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded()) << result->standard_error;
  EXPECT_EQ(folder_.bytes(artefact), before);
}

// What the machine may do to a compiler, with a compiler that does not exist.
class BrokenMachine : public CompileForCpu {
 protected:
  BrokenMachine() {
    processes_.answer({"g++", "--version"}, exited_with(0, "g++ (Fake) 12\n"));
    ProcessResult verbose = exited_with(0);
    verbose.standard_error =
        "#include <...> search starts here:\n /usr/include\nEnd of search list.\n";
    processes_.answer({"g++", "-march=native"}, verbose);
  }

  void compiler_says(const std::string& text, ProcessEnd end = Exited{1}) {
    ProcessResult result;
    result.end = end;
    result.standard_error = text;
    processes_.answer({"g++", "-std=c++20"}, result);
  }
  Error error() {
    auto result = compile_for_cpu(folder_.request(kPlain), folder_.fs(), processes_);
    if (result) throw std::runtime_error("no error");
    EXPECT_EQ(folders_in(folder_.root() / "cache/build"), 0u);
    return result.error();
  }

  FakeProcessRunner processes_;
};

TEST_F(BrokenMachine, AFullDiskIsAnErrorAndNotTheKernelsFault) {
  compiler_says("/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld\n");
  const Error full = error();
  EXPECT_EQ(full.kind, ErrorKind::kEnvironment);
  EXPECT_THAT(full.message(), HasSubstr("is full"));
  EXPECT_FALSE(full.remedy.empty());
}

TEST_F(BrokenMachine, ACompilerThatTheMachineKilledIsAnErrorToo) {
  compiler_says("", Signalled{9});
  EXPECT_EQ(error().kind, ErrorKind::kInfrastructure);
  compiler_says("g++: fatal error: Killed signal terminated program cc1plus\n");
  EXPECT_THAT(error().message(), HasSubstr("ran out of memory"));
}

TEST_F(BrokenMachine, ACompilerThatMetItsMemoryLimitIsTheKernelsFault) {
  compiler_says(
      "cc1plus: out of memory allocating 65536 bytes after a total of 4290000000 bytes\n");
  auto result = compile_for_cpu(folder_.request(kPlain), folder_.fs(), processes_);
  ASSERT_TRUE(result);
  EXPECT_THAT(std::get<CompileRefused>(*result).reason, HasSubstr("needed more than 4.00 GiB"));
}

TEST_F(BrokenMachine, ACompilerWithoutAWordIsStillDiagnosed) {
  compiler_says("", Exited{4});
  auto result = compile_for_cpu(folder_.request(kPlain), folder_.fs(), processes_);
  ASSERT_TRUE(result);
  EXPECT_THAT(std::get<CompileDiagnostics>(*result).log, HasSubstr("said nothing"));
}

TEST(FindCppCompiler, NoneIsAnErrorWithTheCommandThatInstallsOne) {
  const EnvironmentVariable none("FK_CXX", nullptr);
  auto fs = make_real_fs();
  FakeProcessRunner processes;
  const auto found = find_cpp_compiler(*fs, processes);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("neither g++ nor c++ runs here"));
  EXPECT_THAT(found.error().remedy, HasSubstr("apt-get install g++"));
}

TEST(FindCppCompiler, FallsBackFromGppToCppButNeverFromTheUsersChoice) {
  auto fs = make_real_fs();
  FakeProcessRunner processes;
  processes.answer({"c++", "--version"}, exited_with(0, "c++ 12\n"));
  {
    const EnvironmentVariable none("FK_CXX", nullptr);
    EXPECT_EQ(find_cpp_compiler(*fs, processes).value(), "c++");
  }
  {
    const EnvironmentVariable chosen("FK_CXX", "/nowhere/g++");
    EXPECT_THAT(find_cpp_compiler(*fs, processes).error().message(),
                HasSubstr("FK_CXX names '/nowhere/g++', which does not exist"));
  }
  const EnvironmentVariable chosen("FK_CXX", "g++-99");
  EXPECT_THAT(find_cpp_compiler(*fs, processes).error().message(), HasSubstr("does not run"));
}

}  // namespace
}  // namespace forge
