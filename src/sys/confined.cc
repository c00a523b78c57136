#include "sys/confined.h"

#include <unistd.h>

#include "base/text.h"
#include "sys/shared_memory.h"

extern "C" const char forge_launcher_image_begin[];
extern "C" const char forge_launcher_image_end[];

namespace forge {
namespace {

constexpr std::string_view kStoppedNote = "forge-launcher: stopped: ";

}  // namespace

Result<int> launcher_fd() {
  static const Result<SharedMemory> file = SharedMemory::with_content(
      "forge-launcher", forge_launcher_image_begin,
      static_cast<std::size_t>(forge_launcher_image_end - forge_launcher_image_begin));
  if (!file) return file.error();
  return file->fd();
}

ProcessSpec through_launcher(const ProcessSpec& spec, const std::string& executable) {
  FORGE_CHECK(spec.confinement.has_value());
  const Confinement& confinement = *spec.confinement;
  ProcessSpec launched = spec;
  launched.confinement.reset();
  std::vector<std::string>& argv = launched.argv;
  argv = {"forge-launcher", std::to_string(getpid())};
  const auto add = [&](const char* option, std::string value) {
    argv.emplace_back(option);
    argv.push_back(std::move(value));
  };
  if (confinement.kind == ConfinementKind::kProbe) {
    argv = {"forge-launcher", "--layers"};
    return launched;
  }
  if (confinement.kind == ConfinementKind::kAgentOnline) add("--agent", "online");
  if (confinement.kind == ConfinementKind::kAgentOffline) add("--agent", "offline");
  add("--read", executable);
  for (const Path& path : confinement.readable) add("--read", path.string());
  for (const Path& path : confinement.writable) add("--write", path.string());
  if (confinement.processes > 0) add("--processes", std::to_string(confinement.processes));
  if (confinement.memory_bytes > 0) add("--memory", std::to_string(confinement.memory_bytes));
  if (confinement.cpu.count() > 0) add("--cpu-seconds", std::to_string(confinement.cpu.count()));
  argv.emplace_back("--");
  argv.push_back(executable);
  argv.insert(argv.end(), spec.argv.begin() + 1, spec.argv.end());
  return launched;
}

std::string passed_limit(const ProcessResult& result) {
  if (!std::holds_alternative<Signalled>(result.end)) return {};
  const std::size_t at = result.standard_error.rfind(kStoppedNote);
  if (at == std::string::npos) return {};
  const std::string rest = result.standard_error.substr(at + kStoppedNote.size());
  return printable(rest.substr(0, rest.find('\n')));
}

Result<std::vector<std::string>> confinement_layers(ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {"forge-launcher"};
  spec.confinement.emplace();
  spec.confinement->kind = ConfinementKind::kProbe;
  spec.limits.wall = std::chrono::seconds(10);
  FORGE_TRY(const ProcessResult result, processes.run(spec));
  if (!result.succeeded()) {
    return Error{ErrorKind::kEnvironment, "cannot start", "the confined launcher",
                 "it " + result.describe_end(), ""};
  }
  std::vector<std::string> layers;
  for (const std::string& line : split_lines(result.standard_output)) {
    if (!line.empty()) layers.push_back(line);
  }
  return layers;
}

}  // namespace forge
