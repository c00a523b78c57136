#include "target/cpu/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sys/lies_within.h"
#include "target/cpu/artefact_cache.h"
#include "target/cpu/compiler_run.h"
#include "target/cpu/cpp_compiler.h"
#include "target/cpu/dependencies.h"
#include "target/cpu/diagnostics.h"
#include "target/kernel_header.h"

namespace forge {
namespace {

constexpr std::string_view kTunablesName = "tunables.h";
constexpr std::string_view kExportsName = "exports.map";
constexpr std::string_view kDependenciesName = "kernel.d";
// What the assembler read: .incbin and .include, of which the compiler knows nothing.
constexpr std::string_view kAssemblerDependenciesName = "kernel.as.d";

// Local symbols can't take the place of anybody else's, operator new and malloc included.
constexpr std::string_view kExports =
    "{\n  global: forge_launch; forge_workspace;\n  local: *;\n};\n";

using Outcome = CompileOutcome;

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
  hasher.add("cpu kernel, format 2").add(compiler.version).add(compiler.identity);
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
  add({"-MD", "-MF", std::string(kDependenciesName)});
  if (compiler.assembler == Assembler::kGnu) {
    add({fmt::format("-Wa,--MD,{}", kAssemblerDependenciesName)});
  }
  add({"-o", std::string(kObjectName), request.source.string()});
  add(link_flags(request));
  return command;
}

// Absolute, since the compiler runs in a folder of its own.
Result<CpuCompileRequest> with_absolute_paths(CpuCompileRequest request) {
  FORGE_TRY_STATUS(make_absolute(
      {&request.source, &request.header_folder, &request.include_folder, &request.cache}));
  for (Path& folder : request.problem_includes) FORGE_TRY_STATUS(make_absolute({&folder}));
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

std::vector<Path> readable_files(const CpuCompileRequest& request, const CppCompiler& compiler) {
  std::vector<Path> readable = compiler.toolchain;
  const auto add = [&](const std::vector<Path>& paths) {
    readable.insert(readable.end(), paths.begin(), paths.end());
  };
  add({request.source});
  add(include_folders(request));
  add(folders_of_flags(request.flags));
  return readable;
}

// The second line behind the compiler's confinement: a kernel that was given what it may not read
// compiles where there is no Landlock, and is refused all the same.
Result<std::optional<NotCompiled>> check_dependencies(const CpuCompileRequest& request,
                                                      const Path& staging,
                                                      const std::vector<Path>& visible, Fs& fs) {
  for (const std::string_view name : {kDependenciesName, kAssemblerDependenciesName}) {
    if (!fs.exists(staging / name)) continue;
    FORGE_TRY(const std::string makefile, fs.read(staging / name));
    for (const Path& file : parse_dependencies(makefile)) {
      if (lies_within_any(staging / file, visible)) continue;
      // The assembler lists what #line claims, too.
      if (name == kAssemblerDependenciesName && !fs.exists(staging / file)) continue;
      return std::optional<NotCompiled>(refused_file(request.source, file));
    }
  }
  return std::optional<NotCompiled>();
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
  CompilerRun run;
  run.source = request.source;
  run.command = command;
  run.staging = staging.path();
  run.cache = request.cache;
  run.readable = readable_files(request, compiler);
  run.visible = visible_files(request, compiler, staging.path());
  run.wall = request.wall;
  run.rights = request.rights;
  FORGE_TRY(CompilerEnd end, run_compiler(run, processes));
  std::optional<NotCompiled>& failed = end.not_compiled;
  if (!failed) {
    FORGE_TRY(failed, check_dependencies(request, staging.path(), run.visible, fs));
  }
  if (failed) {
    return std::visit([](auto& why) { return Outcome(std::move(why)); }, *failed);
  }

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

Result<CompileOutcome> compile_for_cpu(const CpuCompileRequest& request, Fs& fs,
                                       ProcessRunner& processes) {
  FORGE_TRY(const CpuCompileRequest absolute, with_absolute_paths(request));
  FORGE_TRY(const CppCompiler compiler, identify_cpp_compiler(fs, processes));
  FORGE_TRY(const std::string tunables, tunable_header(absolute.tunables));
  FORGE_TRY(const Digest key, key_of(absolute, compiler, tunables, fs));
  FORGE_TRY(auto cached, find_artefact(fs, absolute.cache / "build", key));
  if (cached) return Outcome(std::move(*cached));
  return compile_into_cache(absolute, compiler, key, tunables, fs, processes);
}

}  // namespace forge
