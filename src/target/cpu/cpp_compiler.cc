#include "target/cpu/cpp_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "target/cpu/compile.h"

namespace forge {
namespace {

constexpr auto kProbeWall = std::chrono::seconds(30);

struct Found {
  std::string program;
  std::string version;
};

Error no_compiler(std::string cause, std::string remedy) {
  return {ErrorKind::kEnvironment, "cannot find", "a C++ compiler", std::move(cause),
          std::move(remedy)};
}

Result<ProcessResult> ask(ProcessRunner& processes, std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment_mode = EnvironmentMode::kOnlyGiven;
  spec.environment = compiler_environment();
  spec.limits.wall = kProbeWall;
  return processes.run(spec);
}

// The first line of --version, or why there is none.
Result<std::string> version_of(ProcessRunner& processes, const std::string& program) {
  FORGE_TRY(const ProcessResult result, ask(processes, {program, "--version"}));
  if (!result.succeeded()) {
    return no_compiler(fmt::format("'{} --version' {}", program, result.describe_end()), "");
  }
  const std::vector<std::string> lines = split_lines(result.standard_output);
  if (lines.empty() || lines[0].empty()) {
    return no_compiler(fmt::format("'{} --version' printed nothing", program), "");
  }
  return printable(lines[0]);
}

Result<Found> find_compiler(Fs& fs, ProcessRunner& processes) {
  const char* chosen = std::getenv("FK_CXX");
  if (chosen != nullptr && *chosen != '\0') {
    const std::string program = chosen;
    constexpr auto kRemedy = "set FK_CXX to the path of a g++, or unset it";
    if (program.find('/') != std::string::npos && !fs.exists(program)) {
      return no_compiler(fmt::format("FK_CXX names '{}', which does not exist", program), kRemedy);
    }
    auto version = version_of(processes, program);
    if (version) return Found{program, std::move(*version)};
    return no_compiler(
        fmt::format("FK_CXX names '{}', which does not run ({})", program, version.error().cause),
        kRemedy);
  }
  for (const char* program : {"g++", "c++"}) {
    auto version = version_of(processes, program);
    if (version) return Found{program, std::move(*version)};
  }
  return no_compiler("neither g++ nor c++ runs here",
                     "install one (Debian and Ubuntu: apt-get install g++), or set FK_CXX");
}

}  // namespace

std::vector<Path> parse_include_folders(std::string_view verbose_output) {
  std::vector<Path> folders;
  bool listing = false;
  for (const std::string& line : split_lines(verbose_output)) {
    if (line.find("search starts here:") != std::string::npos) {
      listing = true;
    } else if (line.starts_with("End of search list")) {
      break;
    } else if (listing && line.starts_with(' ')) {
      folders.push_back(Path(trim(line)).lexically_normal());
    }
  }
  return folders;
}

std::vector<Path> parse_toolchain(std::string_view verbose_output) {
  std::vector<Path> folders = {"/usr/bin",       "/usr/lib",       "/usr/lib32",
                               "/usr/lib64",     "/usr/libexec",   "/usr/include",
                               "/usr/local/bin", "/usr/local/lib", "/usr/local/include",
                               "/bin",           "/lib",           "/lib32",
                               "/lib64",         "/libx32",        "/etc/ld.so.cache"};
  const auto add = [&](std::string_view text) {
    const Path path = Path(trim(text)).lexically_normal();
    if (path.is_absolute() && path != "/" &&
        std::find(folders.begin(), folders.end(), path) == folders.end()) {
      folders.push_back(path);
    }
  };
  for (const std::string& line : split_lines(verbose_output)) {
    for (const std::string_view key : {"COMPILER_PATH=", "LIBRARY_PATH=", "InstalledDir: "}) {
      if (!line.starts_with(key)) continue;
      for (const std::string& folder : split(line.substr(key.size()), ':')) add(folder);
    }
    constexpr std::string_view kDriver = "COLLECT_GCC=";
    if (line.starts_with(kDriver)) add(Path(line.substr(kDriver.size())).parent_path().string());
  }
  for (const Path& folder : parse_include_folders(verbose_output)) add(folder.string());
  return folders;
}

std::vector<std::pair<std::string, std::string>> compiler_environment() {
  std::vector<std::pair<std::string, std::string>> environment = {{"LC_ALL", "C"}};
  if (const char* path = std::getenv("PATH")) environment.emplace_back("PATH", path);
  // A compiler that is a link to ccache would want a cache of its own to write to.
  environment.emplace_back("CCACHE_DISABLE", "1");
  return environment;
}

Result<std::string> find_cpp_compiler(Fs& fs, ProcessRunner& processes) {
  FORGE_TRY(Found found, find_compiler(fs, processes));
  return std::move(found.program);
}

Result<CppCompiler> identify_cpp_compiler(Fs& fs, ProcessRunner& processes) {
  FORGE_TRY(Found found, find_compiler(fs, processes));
  FORGE_TRY(ProcessResult verbose,
            ask(processes, {found.program, "-march=native", "-E", "-v", "-x", "c++", "/dev/null"}));
  CppCompiler compiler;
  compiler.include_folders = parse_include_folders(verbose.standard_error);
  if (!verbose.succeeded() || compiler.include_folders.empty()) {
    return Error{ErrorKind::kEnvironment, "cannot use", "the C++ compiler " + found.program,
                 fmt::format("'{} -E -v' {} without a list of its include folders", found.program,
                             verbose.describe_end()),
                 "install a complete g++, or set FK_CXX to one"};
  }
  compiler.toolchain = parse_toolchain(verbose.standard_error);
  if (found.program.find('/') != std::string::npos) {
    compiler.toolchain.push_back(std::filesystem::absolute(found.program).parent_path());
  }
  if (verbose.standard_error.find("clang version") != std::string::npos) {
    compiler.assembler = Assembler::kOwn;
  }
  compiler.program = std::move(found.program);
  compiler.version = std::move(found.version);
  compiler.identity = std::move(verbose.standard_error);
  return compiler;
}

}  // namespace forge
