// The recording runtime as a shared library: see toolkit.h.
#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "sys/support_files.h"
#include "target/cpu/artefact_cache.h"
#include "target/cuda/toolkit.h"

namespace forge {
namespace {

constexpr const char* kSources[] = {"control", "device",   "function",     "launch",
                                    "memory",  "recorder", "registration", "tensor_map"};
constexpr const char* kFolder = "src/target/cuda/recorder";

std::vector<std::string> command_line(const CudaToolkit& toolkit, const Path& support) {
  std::vector<std::string> command = {toolkit.host.program,
                                      "-std=c++20",
                                      "-O2",
                                      "-fPIC",
                                      "-shared",
                                      "-fno-exceptions",
                                      "-fno-rtti",
                                      "-w",
                                      "-Wl,-z,now",
                                      "-Wl,--no-undefined",
                                      "-Wl,--build-id=none",
                                      fmt::format("-Wl,-soname,{}", kRecorderLibrary),
                                      "-o",
                                      std::string(kRecorderLibrary)};
  command.insert(command.end(), {"-I", (support / "src").string()});
  for (const Path& folder : toolkit.include_folders) {
    command.insert(command.end(), {"-isystem", folder.string()});
  }
  for (const char* source : kSources) {
    command.push_back((support / kFolder / source).string() + ".cc");
  }
  return command;
}

}  // namespace

Result<Path> build_recorder(const CudaToolkit& toolkit, const Path& support, const Path& cache,
                            Fs& fs, ProcessRunner& processes) {
  const Digest key = Hasher()
                         .add("recording runtime, format 1")
                         .add(toolkit.identity)
                         .add(support_files_digest().hex)
                         .finish();
  const Path build = cache / "build";
  const Path folder = build / key.hex;
  if (fs.exists(folder / kRecorderLibrary)) return folder;
  FORGE_TRY(StagingFolder staging, StagingFolder::make(fs, build));
  ProcessSpec spec;
  spec.argv = command_line(toolkit, support);
  spec.working_directory = staging.path();
  spec.environment = {{"LC_ALL", "C"}, {"TMPDIR", staging.path().string()}};
  spec.limits.wall = std::chrono::minutes(2);
  FORGE_TRY(const ProcessResult result, processes.run(spec));
  if (!result.succeeded()) {
    return Error{ErrorKind::kEnvironment, "cannot build", "the recording runtime",
                 fmt::format("{} {}: {}", spec.argv[0], result.describe_end(),
                             clip(printable(result.standard_error), 600)),
                 "see whether the CUDA toolkit has its headers (cuda_runtime_api.h, "
                 "cuda_occupancy.h, cuda.h)"};
  }
  const Status kept = staging.keep_as(folder);
  if (!kept && !fs.exists(folder / kRecorderLibrary)) return kept.error();
  return folder;
}

}  // namespace forge
