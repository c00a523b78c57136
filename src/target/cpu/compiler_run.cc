#include "target/cpu/compiler_run.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"
#include "sys/confined.h"
#include "target/cpu/cpp_compiler.h"
#include "target/cpu/diagnostics.h"

namespace forge {
namespace {

// A driver, the compiler proper, an assembler and a linker, each with a helper or two.
constexpr int kProcesses = 32;
constexpr std::uint64_t kObjectBytes = 256ull << 20;
constexpr std::uint64_t kCapturedBytes = 1ull << 20;
constexpr std::size_t kDiagnosticsBytes = 4096;

Error machine_error(const CompilerRun& run, ErrorKind kind, std::string cause, std::string remedy) {
  return {kind, "cannot compile", run.source.filename().string(), std::move(cause),
          std::move(remedy)};
}

Confinement confinement_of(const CompilerRun& run) {
  Confinement confinement;
  confinement.readable = run.readable;
  std::erase(confinement.readable, Path());
  confinement.writable = {run.staging, "/dev/null"};
  confinement.processes = kProcesses;
  confinement.memory_bytes = run.tree_memory_bytes;
  confinement.cpu = std::chrono::ceil<std::chrono::seconds>(run.wall);
  return confinement;
}

ProcessSpec compiler_process(const CompilerRun& run) {
  ProcessSpec spec;
  spec.argv = run.command;
  spec.working_directory = run.staging;
  spec.environment_mode = EnvironmentMode::kOnlyGiven;
  spec.environment = compiler_environment();
  spec.environment.emplace_back("SOURCE_DATE_EPOCH", "0");
  // What a killed compiler leaves behind goes with the staging folder.
  spec.environment.emplace_back("TMPDIR", run.staging.string());
  spec.limits = {run.wall, run.process_memory_bytes, kObjectBytes, kCapturedBytes};
  if (run.rights == CompilerRights::kConfined) spec.confinement = confinement_of(run);
  return spec;
}

CompileRefused too_much(std::string what) { return {"the compiler " + std::move(what)}; }

// The compiler failed by itself: tells the kernel's faults from the machine's.
Result<NotCompiled> explain_failure(const CompilerRun& run, const std::string& output) {
  const std::string cache = run.cache.string();
  switch (classify_failure(output)) {
    case CompilerFailure::kDiskFull:
      return machine_error(run, ErrorKind::kEnvironment,
                           fmt::format("the disk that holds {} is full", cache),
                           "free space there");
    case CompilerFailure::kReadOnlyDisk:
      return machine_error(run, ErrorKind::kEnvironment,
                           fmt::format("the disk that holds {} is read-only", cache),
                           "make it writable, or put the cache elsewhere");
    case CompilerFailure::kKilled:
      return machine_error(run, ErrorKind::kInfrastructure,
                           "the machine ran out of memory and killed the compiler",
                           "free memory, or run fewer jobs at once");
    case CompilerFailure::kTooMuchMemory:
      return NotCompiled(too_much(fmt::format("needed more than {} for this kernel",
                                              format_bytes(double(run.process_memory_bytes)))));
    case CompilerFailure::kTooLarge:
      return NotCompiled(CompileRefused{fmt::format("the compiled kernel would be larger than {}",
                                                    format_bytes(double(kObjectBytes)))});
    case CompilerFailure::kKernel:
      break;
  }
  if (const auto file = file_out_of_reach(output, run.visible)) {
    return NotCompiled(refused_file(run.source, *file));
  }
  return NotCompiled(
      CompileDiagnostics{reduce_diagnostics(output, run.visible, kDiagnosticsBytes)});
}

Result<NotCompiled> explain_end(const CompilerRun& run, const ProcessResult& result,
                                const std::string& output) {
  const std::string& program = run.command[0];
  if (std::holds_alternative<TimedOut>(result.end)) {
    return NotCompiled(too_much(fmt::format(
        "did not finish within {} on this kernel",
        format_duration_ns(std::chrono::duration<double, std::nano>(run.wall).count()))));
  }
  if (const std::string limit = passed_limit(result); !limit.empty()) {
    return NotCompiled(too_much("was stopped on this kernel: " + limit));
  }
  const auto* exited = std::get_if<Exited>(&result.end);
  const bool not_started = exited != nullptr &&
                           (exited->code == kNotConfined || exited->code == kNotStarted) &&
                           result.standard_error.starts_with(kLauncherName);
  if (not_started) {
    return machine_error(run, ErrorKind::kEnvironment,
                         std::string(trim(printable(result.standard_error))), "run forge doctor");
  }
  if (exited == nullptr) {
    return machine_error(run, ErrorKind::kInfrastructure,
                         fmt::format("{} {}", program, result.describe_end()),
                         "see whether the machine ran out of memory");
  }
  FORGE_TRY(NotCompiled why, explain_failure(run, output));
  if (auto* diagnostics = std::get_if<CompileDiagnostics>(&why)) {
    if (diagnostics->log.empty()) {
      diagnostics->log = fmt::format("{} {} and said nothing", program, result.describe_end());
    }
  }
  return why;
}

}  // namespace

Result<CompilerEnd> run_compiler(const CompilerRun& run, ProcessRunner& processes) {
  FORGE_TRY(const ProcessResult result, processes.run(compiler_process(run)));
  CompilerEnd end{result.standard_output + result.standard_error, std::nullopt};
  if (result.succeeded()) return end;
  const std::string output = run.like_gcc != nullptr ? run.like_gcc(end.output) : end.output;
  FORGE_TRY(end.not_compiled, explain_end(run, result, output));
  return end;
}

Status make_absolute(std::initializer_list<Path*> paths) {
  std::error_code failure;
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
  return {};
}

std::vector<Path> folders_of_flags(const std::vector<std::string>& flags) {
  std::vector<Path> folders;
  for (const std::string& flag : flags) {
    const std::size_t slash = flag.find('/');
    const bool alone = slash == 0;
    const bool joined = flag.starts_with("-I/") || flag.starts_with("-L/") ||
                        flag.starts_with("-isystem/") || flag.starts_with("-Wl,-rpath");
    if (alone || joined) folders.emplace_back(flag.substr(slash));
  }
  return folders;
}

CompileRefused refused_file(const Path& source, const Path& file) {
  return {fmt::format(
      "{} reads {}, which lies outside what a kernel may read while it is compiled: itself, "
      "forge_args.h, forge/, the problem's [build] includes and the system's headers",
      source.filename().string(), printable(file.filename().string()))};
}

}  // namespace forge
