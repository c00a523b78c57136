#include "cli/agents_file.h"

#include "run/paths.h"

namespace forge {
namespace {

constexpr std::string_view kUsualFile = "agents.toml";

Result<AgentsConfig> read_file(FileReader& fs, const Path& file) {
  FORGE_TRY(const std::string text, fs.read(file));
  return parse_agents(text, file.string());
}

}  // namespace

Result<AgentsConfig> read_agents(FileReader& fs, const Path& file) {
  if (!file.empty()) return read_file(fs, file);
  return fs.exists(kUsualFile) ? read_file(fs, kUsualFile) : AgentsConfig();
}

Result<AgentsConfig> agents_of_run(FileReader& fs, const Path& run) {
  const Path file = RunPaths(run).agents();
  return fs.exists(file) ? read_file(fs, file) : AgentsConfig();
}

}  // namespace forge
