#include "target/cpu/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "target/cpu/artefact_cache.h"
#include "target/cpu/cpp_compiler.h"
#include "target/cpu/dependencies.h"
#include "target/cpu/diagnostics.h"
#include "target/kernel_header.h"

namespace forge {
namespace {

constexpr std::uint64_t kCompilerMemoryBytes = 4ull << 30;
constexpr std::uint64_t kObjectBytes = 256ull << 20;
constexpr std::uint64_t kCapturedBytes = 256ull << 10;
constexpr std::size_t kDiagnosticsBytes = 4096;

constexpr std::string_view kTunablesName = "tunables.h";
constexpr std::string_view kExportsName = "exports.map";
constexpr std::string_view kDependenciesName = "kernel.d";

// Local symbols can't take the place of anybody else's, operator new and malloc included.
constexpr std::string_view kExports =
    "{\n  global: forge_launch; forge_workspace;\n  local: *;\n};\n";

using Outcome = std::variant<CpuArtefact, CompileDiagnostics>;

// What the kernel's bytes depend on, besides the compiler and the files.
std::vector<std::string> fixed_flags(const CpuCompileRequest& request) {
  std::vector<std::string> flags = {
      "-std=" + request.standard, "-O3", "-march=native", "-fPIC", "-shared", "-fopenmp", "-pipe",
      // No symbol of a kernel can be replaced from outside, so the optimiser may rely on its own.
      "-fno-semantic-interposition", "-fdiagnostics-color=never",
      // Times of day and of files would make two builds differ.
      "-Wno-builtin-macro-redefined", "-D__TIMESTAMP__=\"\""};
  if (!request.tunables.empty()) {
    flags.insert(flags.end(), {"-include", std::string(kTunablesName)});
  }
  flags.insert(flags.end(), request.flags.begin(), request.flags.end());
  return flags;
}

std::vector<std::string> link_flags(const CpuCompileRequest& request) {
  std::vector<std::string> flags = {"-Wl,-z,now",
                                    "-Wl,-z,relro",
                                    "-Wl,-z,noexecstack",
                                    "-Wl,-z,text",
                                    "-Wl,--no-undefined",
                                    "-Wl,--build-id=none",
                                    fmt::format("-Wl,--version-script={}", kExportsName)};
  for (const std::string& library : request.libraries) flags.push_back("-l" + library);
  return flags;
}

std::vector<Path> include_folders(const CpuCompileRequest& request) {
  std::vector<Path> folders = {request.header_folder, request.include_folder};
  folders.insert(folders.end(), request.problem_includes.begin(), request.problem_includes.end());
  std::erase(folders, Path());
  return folders;
}

Status add_folder(Fs& fs, const Path& folder, Hasher& hasher) {
  FORGE_TRY(const std::vector<Path> files, list_files_recursively(fs, folder));
  hasher.add(fmt::format("{} files", files.size()));
  for (const Path& file : files) {
    FORGE_TRY(const std::string content, fs.read(folder / file));
    hasher.add(file.generic_string()).add(content);
  }
  return {};
}

// Of everything that goes in but the places where it lies, which differ from bundle to bundle.
Result<Digest> key_of(const CpuCompileRequest& request, const CppCompiler& compiler,
                      const std::string& tunables, Fs& fs) {
  Hasher hasher;
  hasher.add("cpu kernel, format 1").add(compiler.version).add(compiler.identity);
  for (const std::string& flag : fixed_flags(request)) hasher.add(flag);
  hasher.add("link").add(kExports);
  for (const std::string& flag : link_flags(request)) hasher.add(flag);
  hasher.add("source").add(request.source.filename().string());
  FORGE_TRY(const std::string source, fs.read(request.source));
  hasher.add(source).add(tunables);
  for (const Path& folder : include_folders(request)) {
    FORGE_TRY_STATUS(add_folder(fs, folder, hasher));
  }
  return hasher.finish();
}

std::vector<std::string> command_line(const CpuCompileRequest& request, const CppCompiler& compiler,
                                      const Digest& key) {
  std::vector<std::string> command = {compiler.program};
  const auto add = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  add(fixed_flags(request));
  // Names of folders and of temporary files must not reach the object.
  command.push_back("-frandom-seed=" + key.brief());
  std::vector<Path> mapped = include_folders(request);
  mapped.push_back(request.source.parent_path());
  for (const Path& folder : mapped) {
    command.push_back(fmt::format("-ffile-prefix-map={}/=", folder.string()));
  }
  for (const Path& folder : include_folders(request)) add({"-I", folder.string()});
  add({"-MD", "-MF", std::string(kDependenciesName), "-o", std::string(kObjectName),
       request.source.string()});
  add(link_flags(request));
  return command;
}

// Absolute, since the compiler runs in a folder of its own.
Result<CpuCompileRequest> with_absolute_paths(CpuCompileRequest request) {
  std::error_code failure;
  std::vector<Path*> paths = {&request.source, &request.header_folder, &request.include_folder,
                              &request.cache};
  for (Path& folder : request.problem_includes) paths.push_back(&folder);
  for (Path* path : paths) {
    if (path->empty()) continue;
    Path absolute = std::filesystem::absolute(*path, failure).lexically_normal();
    if (failure) {
      return Error{ErrorKind::kInfrastructure, "cannot resolve", path->string(), failure.message(),
                   ""};
    }
    if (!absolute.has_filename()) absolute = absolute.parent_path();
    *path = std::move(absolute);
  }
  return request;
}

std::vector<Path> visible_files(const CpuCompileRequest& request, const CppCompiler& compiler,
                                const Path& staging) {
  std::vector<Path> visible = include_folders(request);
  visible.push_back(request.source);
  visible.push_back(staging);
  visible.insert(visible.end(), compiler.include_folders.begin(), compiler.include_folders.end());
  return visible;
}

Error machine_error(const CpuCompileRequest& request, ErrorKind kind, std::string cause,
                    std::string remedy) {
  return {kind, "cannot compile", request.source.filename().string(), std::move(cause),
          std::move(remedy)};
}

// The compiler failed by itself: tells the kernel's faults from the machine's.
Result<CompileDiagnostics> explain_failure(const CpuCompileRequest& request,
                                           const std::string& output,
                                           const std::vector<Path>& visible) {
  const std::string cache = request.cache.string();
  switch (classify_failure(output)) {
    case CompilerFailure::kDiskFull:
      return machine_error(request, ErrorKind::kEnvironment,
                           fmt::format("the disk that holds {} is full", cache),
                           "free space there");
    case CompilerFailure::kReadOnlyDisk:
      return machine_error(request, ErrorKind::kEnvironment,
                           fmt::format("the disk that holds {} is read-only", cache),
                           "make it writable, or put the cache elsewhere");
    case CompilerFailure::kKilled:
      return machine_error(request, ErrorKind::kInfrastructure,
                           "the machine ran out of memory and killed the compiler",
                           "free memory, or run fewer jobs at once");
    case CompilerFailure::kTooMuchMemory:
      return CompileDiagnostics{fmt::format("the compiler needed more than {} for this kernel",
                                            format_bytes(double(kCompilerMemoryBytes)))};
    case CompilerFailure::kTooLarge:
      return CompileDiagnostics{fmt::format("the compiled kernel would be larger than {}",
                                            format_bytes(double(kObjectBytes)))};
    case CompilerFailure::kKernel:
      break;
  }
  return CompileDiagnostics{reduce_diagnostics(output, visible, kDiagnosticsBytes)};
}

ProcessSpec compiler_process(const CpuCompileRequest& request, std::vector<std::string> command,
                             const Path& staging) {
  ProcessSpec spec;
  spec.argv = std::move(command);
  spec.working_directory = staging;
  // TMPDIR: what a killed compiler leaves behind goes with the staging folder.
  spec.environment = {{"LC_ALL", "C"}, {"SOURCE_DATE_EPOCH", "0"}, {"TMPDIR", staging.string()}};
  spec.limits = {request.wall, kCompilerMemoryBytes, kObjectBytes, kCapturedBytes};
  return spec;
}

// Nothing if the compiler succeeded.
Result<std::optional<CompileDiagnostics>> run_compiler(const CpuCompileRequest& request,
                                                       const ProcessSpec& spec,
                                                       const std::vector<Path>& visible,
                                                       ProcessRunner& processes) {
  FORGE_TRY(const ProcessResult result, processes.run(spec));
  if (result.succeeded()) return std::optional<CompileDiagnostics>();
  if (std::holds_alternative<TimedOut>(result.end)) {
    return std::optional(CompileDiagnostics{fmt::format(
        "the compiler did not finish within {} on this kernel",
        format_duration_ns(std::chrono::duration<double, std::nano>(request.wall).count()))});
  }
  if (std::holds_alternative<Signalled>(result.end)) {
    return machine_error(request, ErrorKind::kInfrastructure,
                         fmt::format("{} {}", spec.argv[0], result.describe_end()),
                         "see whether the machine ran out of memory");
  }
  FORGE_TRY(CompileDiagnostics diagnostics,
            explain_failure(request, result.standard_error, visible));
  if (diagnostics.log.empty()) {
    diagnostics.log = fmt::format("{} {} and said nothing", spec.argv[0], result.describe_end());
  }
  return std::optional(std::move(diagnostics));
}

// A kernel that included what it may not read compiles, but is refused.
Result<std::optional<CompileDiagnostics>> check_dependencies(const CpuCompileRequest& request,
                                                             const Path& staging,
                                                             const std::vector<Path>& visible,
                                                             Fs& fs) {
  FORGE_TRY(const std::string makefile, fs.read(staging / kDependenciesName));
  for (const Path& file : parse_dependencies(makefile)) {
    if (lies_within(staging / file, visible)) continue;
    return std::optional(CompileDiagnostics{fmt::format(
        "{} includes {}, which lies outside the folders that a kernel may include from: "
        "forge_args.h, forge/ and the problem's [build] includes",
        request.source.filename().string(), printable(file.filename().string()))});
  }
  return std::optional<CompileDiagnostics>();
}

Result<Outcome> compile_into_cache(const CpuCompileRequest& request, const CppCompiler& compiler,
                                   const Digest& key, const std::string& tunables, Fs& fs,
                                   ProcessRunner& processes) {
  const Path build = request.cache / "build";
  FORGE_TRY(StagingFolder staging, StagingFolder::make(fs, build));
  FORGE_TRY_STATUS(fs.write_atomic(staging.path() / kExportsName, kExports));
  if (!request.tunables.empty()) {
    FORGE_TRY_STATUS(fs.write_atomic(staging.path() / kTunablesName, tunables));
  }
  const std::vector<std::string> command = command_line(request, compiler, key);
  const std::vector<Path> visible = visible_files(request, compiler, staging.path());
  FORGE_TRY(auto refused, run_compiler(request, compiler_process(request, command, staging.path()),
                                       visible, processes));
  if (!refused) {
    FORGE_TRY(refused, check_dependencies(request, staging.path(), visible, fs));
  }
  if (refused) return Outcome(std::move(*refused));

  CpuArtefact artefact;
  artefact.source_digest = key;
  artefact.command = command;
  artefact.compiler = compiler.version;
  FORGE_TRY_STATUS(describe_artefact(fs, staging.path(), artefact));
  FORGE_TRY_STATUS(staging.keep_as(build / key.hex));
  artefact.shared_object = build / key.hex / kObjectName;
  return Outcome(std::move(artefact));
}

}  // namespace

Result<std::variant<CpuArtefact, CompileDiagnostics>> compile_for_cpu(
    const CpuCompileRequest& request, Fs& fs, ProcessRunner& processes) {
  FORGE_TRY(const CpuCompileRequest absolute, with_absolute_paths(request));
  FORGE_TRY(const CppCompiler compiler, identify_cpp_compiler(fs, processes));
  FORGE_TRY(const std::string tunables, tunable_header(absolute.tunables));
  FORGE_TRY(const Digest key, key_of(absolute, compiler, tunables, fs));
  FORGE_TRY(auto cached, find_artefact(fs, absolute.cache / "build", key));
  if (cached) return Outcome(std::move(*cached));
  return compile_into_cache(absolute, compiler, key, tunables, fs, processes);
}

}  // namespace forge
