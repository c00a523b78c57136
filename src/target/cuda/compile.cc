#include "target/cuda/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "problem/cuda_arch.h"
#include "sys/lies_within.h"
#include "sys/support_files.h"
#include "target/cpu/artefact_cache.h"
#include "target/cpu/compiler_run.h"
#include "target/cpu/diagnostics.h"
#include "target/cuda/artefact.h"
#include "target/cuda/cubin.h"
#include "target/cuda/device_code.h"
#include "target/cuda/refused_symbols.h"
#include "target/kernel_header.h"

namespace forge {
namespace {

// cicc takes more for templates than g++ does.
constexpr std::uint64_t kCompilerMemoryBytes = 12ull << 30;

constexpr std::string_view kSourceName = "kernel.cu";
constexpr std::string_view kTunablesName = "tunables.h";
constexpr std::string_view kExportsName = "exports.map";
// What --keep leaves of the preprocessor's work, for the device's pass and the host's.
constexpr std::string_view kPreprocessed[] = {"kernel.cpp1.ii", "kernel.cpp4.ii"};

constexpr std::string_view kExports =
    "{\n  global: forge_launch; forge_workspace;\n  local: *;\n};\n";

std::vector<std::string> fixed_flags(const CudaCompileRequest& request) {
  std::vector<std::string> flags = {
      "-std=" + request.standard, "-O3",
      fmt::format("-gencode=arch={},code={}", virtual_cuda_arch(request.arch), request.arch),
      "--extended-lambda", "--expt-relaxed-constexpr",
      // No runtime but the recording one; device code as it is, so that it can be compared.
      "-cudart", "none", "-cudadevrt", "none", "--no-compress", "-shared", "-Xptxas", "-v",
      "-Xcompiler",
      "-fPIC,-fno-semantic-interposition,-fdiagnostics-color=never,-Wno-builtin-macro-redefined",
      "-D__TIMESTAMP__=\"\"",
      // Names in anonymous namespaces hold a hash of this path, which must not be the place.
      "-Xcudafe", "--orig_src_path_name=/kernel.cu"};
  if (!request.tunables.empty()) {
    flags.insert(flags.end(), {"-include", std::string(kTunablesName)});
  }
  flags.insert(flags.end(), request.flags.begin(), request.flags.end());
  return flags;
}

std::vector<std::string> link_flags() {
  return {"-Xlinker",
          fmt::format("-z,now,-z,relro,-z,noexecstack,-z,text,--no-undefined,--build-id=none,"
                      "--version-script={}",
                      kExportsName)};
}

std::vector<Path> include_folders(const CudaCompileRequest& request) {
  std::vector<Path> folders = {request.header_folder, request.include_folder};
  folders.insert(folders.end(), request.problem_includes.begin(), request.problem_includes.end());
  std::erase(folders, Path());
  return folders;
}

// Padding of parameters would otherwise hold what was on the stack before: half a pointer, say,
// which no plan can express. Host code is not timed.
std::vector<std::string> zeroing_flags(const CudaToolkit& toolkit) {
  if (toolkit.zeroing_flag.empty()) return {};
  return {"-Xcompiler", toolkit.zeroing_flag};
}

Result<Digest> key_of(const CudaCompileRequest& request, const CudaToolkit& toolkit,
                      const std::string& tunables, Fs& fs) {
  Hasher hasher;
  hasher.add("cuda kernel, format 1").add(toolkit.identity).add(toolkit.host.identity);
  hasher.add(support_files_digest().hex);  // the recording runtime
  for (const std::string& flag : fixed_flags(request)) hasher.add(flag);
  for (const std::string& flag : zeroing_flags(toolkit)) hasher.add(flag);
  for (const std::string& flag : link_flags()) hasher.add(flag);
  FORGE_TRY(const std::string source, fs.read(request.source));
  hasher.add(kExports).add(source).add(tunables);
  for (const Path& folder : include_folders(request)) {
    FORGE_TRY(const std::vector<Path> files, list_files_recursively(fs, folder));
    hasher.add(fmt::format("{} files", files.size()));
    for (const Path& file : files) {
      FORGE_TRY(const std::string content, fs.read(folder / file));
      hasher.add(file.generic_string()).add(content);
    }
  }
  return hasher.finish();
}

std::vector<std::string> command_line(const CudaCompileRequest& request,
                                      const CudaToolkit& toolkit) {
  std::vector<std::string> command = {toolkit.nvcc, "-ccbin", toolkit.host.program};
  const auto add = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  add(fixed_flags(request));
  add(zeroing_flags(toolkit));
  for (const Path& folder : include_folders(request)) add({"-I", folder.string()});
  add({"--keep", "--keep-dir", ".", "-o", std::string(kCudaObjectName), std::string(kSourceName)});
  add(link_flags());
  add({"-L", request.recorder.string(), "-lforge_cuda"});
  return command;
}

std::vector<Path> visible_files(const CudaCompileRequest& request, const CudaToolkit& toolkit,
                                const Path& staging) {
  std::vector<Path> visible = include_folders(request);
  visible.push_back(staging);
  const auto add = [&](const std::vector<Path>& folders) {
    visible.insert(visible.end(), folders.begin(), folders.end());
  };
  add(toolkit.include_folders);
  add(toolkit.host.include_folders);
  return visible;
}

std::vector<Path> readable_files(const CudaCompileRequest& request, const CudaToolkit& toolkit) {
  std::vector<Path> readable = toolkit.host.toolchain;
  const auto add = [&](const std::vector<Path>& paths) {
    readable.insert(readable.end(), paths.begin(), paths.end());
  };
  add({toolkit.root, request.recorder});
  add(toolkit.include_folders);
  add(include_folders(request));
  add(folders_of_flags(request.flags));
  return readable;
}

CompilerRun compiler_run(const CudaCompileRequest& request, const CudaToolkit& toolkit,
                         const Path& staging) {
  CompilerRun run;
  run.source = kSourceName;
  run.command = command_line(request, toolkit);
  run.staging = staging;
  run.cache = request.cache;
  run.readable = readable_files(request, toolkit);
  run.visible = visible_files(request, toolkit, staging);
  run.wall = request.wall;
  run.rights = request.rights;
  run.process_memory_bytes = kCompilerMemoryBytes;
  run.tree_memory_bytes = kCompilerMemoryBytes;
  run.like_gcc = like_gcc;
  return run;
}

// A kernel that included what it may not read compiles, but is refused. Both passes are looked at:
// what __CUDA_ARCH__ hides from one is seen in the other.
Result<std::optional<CompileRefused>> check_includes(const Path& staging,
                                                     const std::vector<Path>& visible, Fs& fs) {
  for (const std::string_view name : kPreprocessed) {
    FORGE_TRY(const std::string text, fs.read(staging / name));
    for (const std::string& file : entered_files(text)) {
      if (lies_within_any(staging / file, visible)) continue;
      return std::optional(refused_file(kSourceName, file));
    }
  }
  return std::optional<CompileRefused>();
}

std::span<const std::byte> as_bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// The artefact's device code is what the compiler left beside it.
Result<std::optional<CompileRefused>> check_device_code(const Path& staging, Fs& fs) {
  FORGE_TRY(const std::string cubin, fs.read(staging / kCubinName));
  FORGE_TRY_STATUS(parse_cubin(as_bytes_of(cubin), kCubinName));
  FORGE_TRY(const std::string object, fs.read(staging / kCudaObjectName));
  if (auto reason = foreign_device_code(as_bytes_of(object), as_bytes_of(cubin))) {
    return std::optional(CompileRefused{"the kernel's shared object is refused: " + *reason});
  }
  return std::optional<CompileRefused>();
}

Status remove_intermediates(const Path& staging, Fs& fs) {
  constexpr std::string_view kKept[] = {kCudaObjectName, kCubinName, kExportsName, kTunablesName,
                                        kSourceName};
  FORGE_TRY(const std::vector<std::string> names, fs.list(staging));
  for (const std::string& name : names) {
    if (std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept)) continue;
    FORGE_TRY_STATUS(fs.remove_all(staging / name));
  }
  return {};
}

Result<CudaCompileOutcome> compile_into_cache(const CudaCompileRequest& request,
                                              const CudaToolkit& toolkit, const Digest& key,
                                              const std::string& tunables, Fs& fs,
                                              ProcessRunner& processes) {
  const Path build = request.cache / "build";
  FORGE_TRY(StagingFolder staging, StagingFolder::make(fs, build));
  const Path& place = staging.path();
  FORGE_TRY(const std::string source, fs.read(request.source));
  const auto write = [&](std::string_view name, std::string_view text) {
    return fs.write_atomic(place / name, text, Durability::kScratch);
  };
  FORGE_TRY_STATUS(write(kSourceName, source));
  FORGE_TRY_STATUS(write(kExportsName, kExports));
  if (!request.tunables.empty()) FORGE_TRY_STATUS(write(kTunablesName, tunables));

  const CompilerRun run = compiler_run(request, toolkit, place);
  FORGE_TRY(CompilerEnd end, run_compiler(run, processes));
  if (end.not_compiled) {
    if (auto refused = refuse_undefined(undefined_references(end.output))) {
      return CudaCompileOutcome(CompileRefused{std::move(*refused)});
    }
    return std::visit([](auto& why) { return CudaCompileOutcome(std::move(why)); },
                      *end.not_compiled);
  }
  FORGE_TRY(auto refused, check_includes(place, run.visible, fs));
  if (!refused) {
    FORGE_TRY(refused, check_device_code(place, fs));
  }
  if (refused) return CudaCompileOutcome(std::move(*refused));

  CudaArtefact artefact;
  artefact.command = run.command;
  artefact.source_digest = key;
  artefact.compiler = toolkit.version + ", " + toolkit.host.version;
  artefact.ptxas = parse_ptxas_facts(end.output);
  FORGE_TRY_STATUS(remove_intermediates(place, fs));
  FORGE_TRY_STATUS(describe_cuda_artefact(fs, place, artefact));
  FORGE_TRY_STATUS(staging.keep_as(build / key.hex));
  artefact.shared_object = build / key.hex / kCudaObjectName;
  artefact.cubin = build / key.hex / kCubinName;
  return CudaCompileOutcome(std::move(artefact));
}

}  // namespace

Result<CudaCompileOutcome> compile_for_cuda(const CudaCompileRequest& given,
                                            const CudaToolkit& toolkit, Fs& fs,
                                            ProcessRunner& processes) {
  CudaCompileRequest request = given;
  FORGE_TRY_STATUS(make_absolute({&request.source, &request.header_folder, &request.include_folder,
                                  &request.recorder, &request.cache}));
  for (Path& folder : request.problem_includes) FORGE_TRY_STATUS(make_absolute({&folder}));
  if (!is_cuda_arch(request.arch)) {
    return Error{ErrorKind::kInvalidInput, "cannot compile for", request.arch,
                 "it is no architecture that nvcc knows", "write it like sm_90a"};
  }
  FORGE_TRY(const std::string tunables, tunable_header(request.tunables));
  FORGE_TRY(const Digest key, key_of(request, toolkit, tunables, fs));
  FORGE_TRY(auto cached, find_cuda_artefact(fs, request.cache / "build", key));
  if (cached) return CudaCompileOutcome(std::move(*cached));
  return compile_into_cache(request, toolkit, key, tunables, fs, processes);
}

}  // namespace forge
