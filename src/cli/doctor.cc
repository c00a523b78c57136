// forge doctor: gathers facts about this machine and says what is missing.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "agent/sandbox.h"
#include "base/text.h"
#include "cli/agents_file.h"
#include "cli/doctor_checks.h"
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "judge/python.h"
#include "sys/confine/landlock.h"
#include "sys/confined.h"
#include "sys/lease.h"
#include "sys/pinned_process.h"
#include "target/cpu/compile.h"
#include "target/cuda/toolkit.h"

namespace forge {
namespace {

Result<std::string> git_version(ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {"git", "--version"};
  FORGE_TRY(const ProcessResult result, processes.run(spec));
  if (result.succeeded()) return std::string(trim(result.standard_output));
  return Error{ErrorKind::kNotFound, "cannot run", "git", "it " + result.describe_end(), ""};
}

Status lease_can_be_taken(Fs& fs, const Path& directory) {
  FORGE_TRY_STATUS(fs.make_directories(directory));
  const Path probe = directory / fmt::format("doctor-{}", getpid());
  FORGE_TRY_STATUS(fs.write_atomic(probe, ""));
  return fs.remove_all(probe);
}

// "MemAvailable:    8131044 kB"
std::uint64_t available_memory(FileReader& fs) {
  const auto text = fs.read("/proc/meminfo");
  if (!text) return 0;
  for (const std::string& line : split_lines(*text)) {
    constexpr std::string_view kKey = "MemAvailable:";
    if (line.starts_with(kKey)) return std::stoull(line.substr(kKey.size())) * 1024;
  }
  return 0;
}

Result<std::string> cuda_compiler(Context& context) {
  FORGE_TRY(CudaToolkit toolkit, identify_cuda_toolkit(context.fs, context.processes));
  return std::move(toolkit.version);
}

// In a folder of the processor's kind, or of none.
bool has_cblas_header(FileReader& fs) {
  constexpr const char* kFolders[] = {"", "x86_64-linux-gnu/", "aarch64-linux-gnu/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders), [&](const char* folder) {
    return fs.exists(Path("/usr/include") / folder / "cblas.h");
  });
}

// Of agents.toml in this folder, if there is one; a file that can't be read is a finding too.
std::vector<AgentFacts> check_agents(Context& context) {
  std::vector<AgentFacts> facts;
  const auto config = read_agents(context.fs, "");
  if (!config) return {{"agents", config.error()}};
  const AgentWorld world = context.agent_world();
  for (const auto& [role, settings] : config->roles) {
    AgentFacts agent{std::string(role_name(role)), std::string()};
    auto backend = make_agent(role, settings, world);
    agent.check = backend ? (*backend)->check() : Result<std::string>(backend.error());
    facts.push_back(std::move(agent));
  }
  return facts;
}

HostFacts gather(Context& context) {
  HostFacts facts;
  facts.compiler = find_cpp_compiler(context.fs, context.processes);
  facts.python = find_torch_python(context.processes);
  facts.git = git_version(context.processes);
  facts.layers = confinement_layers(context.processes);
  facts.landlock_abi = confine::landlock_abi();
  facts.cpus = static_cast<int>(allowed_cpus().size());
  const Path lease = lease_directory();
  facts.lease_path = lease.string();
  facts.lease_folder = lease_can_be_taken(context.fs, lease);
  facts.memory_bytes = available_memory(context.fs);
  facts.onednn = context.fs.exists("/usr/include/dnnl.hpp");
  facts.nvcc = cuda_compiler(context);
  facts.openblas = has_cblas_header(context.fs);
  facts.bubblewrap = find_sandbox(SandboxChoice::kBubblewrap, context.processes).has_value();
  facts.agents = check_agents(context);
  return facts;
}

}  // namespace

Result<int> run_doctor(const DoctorOptions&, Context& context) {
  const auto checks = examine_host(gather(context));
  context.out << render_checks(checks);
  return something_needed_is_missing(checks) ? kExitError : kExitOk;
}

}  // namespace forge
