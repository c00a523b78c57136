#include "cli/alignment_cache.h"

#include <string>

#include "base/text.h"
#include "driver/create_run.h"
#include "judge/python.h"
#include "sys/support_files.h"
#include "target/cpu/compile.h"

namespace forge {
namespace {

Path entry(const Path& cache, const Digest& key) { return cache / "align" / (key.hex + ".json"); }

// Whatever a program prints; what it can't say is left out of the key.
std::string output_of(std::vector<std::string> argv, ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.limits.wall = std::chrono::seconds(20);
  const auto result = processes.run(spec);
  return result && result->succeeded() ? result->standard_output : "";
}

std::string processor(FileReader& fs) {
  const auto text = fs.read("/proc/cpuinfo");
  if (!text) return "";
  for (const std::string& line : split_lines(*text)) {
    if (line.starts_with("model name")) return line;
  }
  return "";
}

std::string python_versions(ProcessRunner& processes) {
  const auto python = find_torch_python(processes);
  if (!python) return "";
  return output_of({*python, "-c",
                    "import sys, importlib.metadata as m; print(sys.version, m.version('torch'))"},
                   processes);
}

// References compute as their device and its driver do.
std::string gpus(ProcessRunner& processes) {
  return output_of({"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"},
                   processes);
}

}  // namespace

Result<Digest> alignment_key(const Problem& problem, const Path& folder, Context& context) {
  FORGE_TRY(const Digest files, problem_digest(context.fs, folder));
  FORGE_TRY(const std::string compiler, find_cpp_compiler(context.fs, context.processes));
  Hasher hasher;
  hasher.add(kCalibration);
  hasher.add(problem.name).add(files.hex).add(support_files_digest().hex);
  hasher.add(processor(context.fs));
  hasher.add(output_of({compiler, "--version"}, context.processes));
  hasher.add(python_versions(context.processes));
  if (problem.target == Target::kCuda) hasher.add(gpus(context.processes));
  return hasher.finish();
}

std::optional<ToleranceTable> cached_tolerance(FileReader& fs, const Path& cache,
                                               const Digest& key) {
  const Path file = entry(cache, key);
  if (!fs.exists(file)) return std::nullopt;
  const auto text = fs.read(file);
  if (!text) return std::nullopt;
  const auto json = parse_json(*text, file.string());
  if (!json) return std::nullopt;
  const auto result = result_from_json(*json, file.string());
  if (!result) return std::nullopt;
  const auto* aligned = std::get_if<AlignResult>(&result->body);
  if (aligned == nullptr || !aligned->mismatch.empty()) return std::nullopt;
  if (!aligned->admission.refusals.empty()) return std::nullopt;
  return aligned->tolerance;
}

Status cache_alignment(Fs& fs, const Path& cache, const Digest& key, const JobResult& aligned) {
  const Path file = entry(cache, key);
  FORGE_TRY_STATUS(fs.make_directories(file.parent_path()));
  return fs.write_atomic(file, to_json(aligned).dump());
}

}  // namespace forge
