#include "target/cuda/toolkit.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"

namespace forge {
namespace {

constexpr auto kProbeWall = std::chrono::seconds(30);
constexpr const char* kZeroingFlag = "-ftrivial-auto-var-init=zero";
constexpr const char* kUsualPlace = "/usr/local/cuda/bin/nvcc";

Error no_toolkit(std::string cause) {
  return {ErrorKind::kEnvironment, "cannot find", "a CUDA compiler", std::move(cause),
          "install the CUDA toolkit, or set FK_NVCC to its nvcc"};
}

Result<ProcessResult> ask(ProcessRunner& processes, std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = {{"LC_ALL", "C"}};
  spec.limits.wall = kProbeWall;
  return processes.run(spec);
}

struct Found {
  std::string program;
  std::string version_text;
};

std::optional<Found> try_program(const std::string& program, ProcessRunner& processes) {
  const auto result = ask(processes, {program, "--version"});
  if (!result || !result->succeeded()) return std::nullopt;
  if (parse_nvcc_version(result->standard_output).empty()) return std::nullopt;
  return Found{program, result->standard_output};
}

// nvcc looks for the rest of the toolkit beside itself and does not follow a link to itself.
std::string behind_links(const std::string& program) {
  const auto path = find_program(program);
  if (!path) return program;
  std::error_code failure;
  const Path real = std::filesystem::canonical(*path, failure);
  return failure ? program : real.string();
}

Result<Found> find_nvcc(Fs& fs, ProcessRunner& processes) {
  const char* chosen = std::getenv("FK_NVCC");
  if (chosen != nullptr && *chosen != '\0') {
    if (auto found = try_program(behind_links(chosen), processes)) return std::move(*found);
    return no_toolkit(fmt::format("FK_NVCC names '{}', which does not run or is no nvcc", chosen));
  }
  if (auto found = try_program(behind_links("nvcc"), processes)) return std::move(*found);
  if (fs.exists(kUsualPlace)) {
    if (auto found = try_program(behind_links(kUsualPlace), processes)) return std::move(*found);
  }
  return no_toolkit(fmt::format("nvcc is neither in PATH nor at {}", kUsualPlace));
}

// "a" of `"-Ia"`, "b" of `"-isystem" "b"`: the quoted words of a line, options apart.
std::vector<Path> quoted_folders(std::string_view line) {
  std::vector<Path> folders;
  for (std::size_t at = line.find('"'); at != std::string_view::npos; at = line.find('"', at)) {
    const std::size_t end = line.find('"', at + 1);
    if (end == std::string_view::npos) break;
    std::string_view word = line.substr(at + 1, end - at - 1);
    if (word.starts_with("-I")) word.remove_prefix(2);
    if (!word.starts_with('-')) folders.push_back(Path(word).lexically_normal());
    at = end + 1;
  }
  return folders;
}

}  // namespace

std::string parse_nvcc_version(std::string_view text) {
  for (const std::string& line : split_lines(text)) {
    const std::size_t release = line.find("release ");
    const std::size_t version = line.find(", V");
    if (release == std::string::npos || version == std::string::npos) continue;
    return "nvcc " + printable(trim(std::string_view(line).substr(version + 3)));
  }
  return "";
}

std::optional<NvccFolders> parse_nvcc_folders(std::string_view dryrun) {
  NvccFolders folders;
  for (const std::string& line : split_lines(dryrun)) {
    const auto value = [&](std::string_view key) {
      return line.starts_with(key) ? std::string_view(line).substr(key.size()) : std::string_view();
    };
    if (const auto top = value("#$ TOP="); !top.empty()) {
      folders.root = Path(trim(top)).lexically_normal();
    }
    for (const std::string_view key : {"#$ INCLUDES=", "#$ SYSTEM_INCLUDES="}) {
      for (Path& folder : quoted_folders(value(key))) {
        folders.include_folders.push_back(std::move(folder));
      }
    }
  }
  if (folders.root.empty() || folders.include_folders.empty()) return std::nullopt;
  if (!folders.root.has_filename()) folders.root = folders.root.parent_path();
  return folders;
}

Result<CudaToolkit> identify_cuda_toolkit(Fs& fs, ProcessRunner& processes) {
  FORGE_TRY(Found found, find_nvcc(fs, processes));
  CudaToolkit toolkit;
  toolkit.version = parse_nvcc_version(found.version_text);
  FORGE_TRY(toolkit.host, identify_cpp_compiler(fs, processes));
  FORGE_TRY(const ProcessResult dryrun,
            ask(processes, {found.program, "--dryrun", "-E", "-x", "cu", "/dev/null"}));
  auto folders = parse_nvcc_folders(dryrun.standard_error + dryrun.standard_output);
  if (!folders) {
    return Error{ErrorKind::kEnvironment, "cannot use", "the CUDA compiler " + found.program,
                 "'nvcc --dryrun' does not say where its headers are",
                 "install a complete CUDA toolkit, or set FK_NVCC to its nvcc"};
  }
  // g++ may name a header by the place that a link leads to.
  for (const Path& folder : std::vector<Path>(folders->include_folders)) {
    std::error_code failure;
    Path real = std::filesystem::canonical(folder, failure);
    if (!failure && real != folder) folders->include_folders.push_back(std::move(real));
  }
  FORGE_TRY(const ProcessResult zeroes,
            ask(processes, {toolkit.host.program, kZeroingFlag, "-E", "-x", "c++", "/dev/null"}));
  if (zeroes.succeeded()) toolkit.zeroing_flag = kZeroingFlag;
  toolkit.nvcc = std::move(found.program);
  toolkit.root = std::move(folders->root);
  toolkit.include_folders = std::move(folders->include_folders);
  toolkit.identity = found.version_text + toolkit.host.version;
  return toolkit;
}

}  // namespace forge
