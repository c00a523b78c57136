#include "cli/doctor_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::uint64_t kNeededMemory = 2ull << 30;

Check program(std::string name, const Result<std::string>& found, std::string remedy) {
  if (found) return {std::move(name), Need::kRequired, Finding::kFine, *found, ""};
  const Error& error = found.error();
  return {std::move(name), Need::kRequired, Finding::kMissing,
          error.cause.empty() ? error.message() : error.cause, std::move(remedy)};
}

Check when(std::string name, Need need, bool fine, std::string detail, std::string remedy) {
  return {std::move(name), need, fine ? Finding::kFine : Finding::kMissing, std::move(detail),
          fine ? "" : std::move(remedy)};
}

bool has_layer(const HostFacts& facts, std::string_view layer) {
  return facts.layers &&
         std::find(facts.layers->begin(), facts.layers->end(), layer) != facts.layers->end();
}

Check confinement(const HostFacts& facts) {
  if (facts.layers) {
    return when("confinement", Need::kRequired, true, "active: " + join(*facts.layers, ", "), "");
  }
  return when("confinement", Need::kRequired, false,
              "confined programs can't be started: " + facts.layers.error().cause,
              "allow memory files to be executed (sysctl vm.memfd_noexec=0)");
}

// What each version of Landlock leaves to the system-call filters alone.
Check landlock(const HostFacts& facts) {
  const int abi = facts.landlock_abi;
  if (abi > 0 && has_layer(facts, "landlock")) {
    const char* lacks = abi < 4 ? "; without TCP ports and signals, which system-call filters hold"
                        : abi < 6 ? "; without signals, which system-call filters hold"
                                  : "";
    return when("landlock", Need::kRequired, true, fmt::format("ABI version {}{}", abi, lacks), "");
  }
  return when("landlock", Need::kRequired, false,
              "this kernel offers none: while it is compiled a kernel could copy files of yours "
              "into itself, and only the system-call filter keeps it from opening any afterwards",
              "boot Linux 5.13 or newer with 'lsm=landlock,...'; see /sys/kernel/security/lsm");
}

Check seccomp(const HostFacts& facts) {
  return when("seccomp", Need::kRequired, has_layer(facts, "seccomp"),
              has_layer(facts, "seccomp") ? "system calls are filtered"
                                          : "this kernel has no system-call filters",
              "boot a kernel with CONFIG_SECCOMP_FILTER=y");
}

Check namespaces(bool bubblewrap) {
  return when("namespaces", Need::kOptional, bubblewrap,
              bubblewrap ? "bubblewrap works: it confines agents that are programs"
                         : "bubblewrap does not start programs here: agents that are programs are "
                           "confined by Landlock instead",
              "sudo apt-get install bubblewrap, and allow user namespaces");
}

Check agent(const AgentFacts& facts) {
  const auto& check = facts.check;
  return when(facts.role, Need::kRequired, check.has_value(),
              check ? *check
                    : fmt::format("{} {}: {}", check.error().attempt, check.error().object,
                                  check.error().cause),
              check || check.error().remedy.empty() ? "see docs/agents.md" : check.error().remedy);
}

Check cpus(int count) {
  return when("cpus", Need::kRequired, count >= 2,
              fmt::format("{} usable{}", count,
                          count >= 2 ? "" : "; one measures, at least one more runs the kernels"),
              "run on a machine with 2 cores, or widen the set: taskset -c 0,1 forge ...");
}

Check lease(const HostFacts& facts) {
  if (facts.lease_folder) {
    return when("leases", Need::kRequired, true, facts.lease_path, "");
  }
  return when("leases", Need::kRequired, false,
              fmt::format("{}: {}", facts.lease_path, facts.lease_folder.error().cause),
              fmt::format("sudo install -d -m 1777 {}", facts.lease_path));
}

Check library(const char* name, bool found, const char* package) {
  return when(name, Need::kOptional, found,
              found ? "headers found" : "no headers: problems whose reference uses it can't run",
              fmt::format("sudo apt-get install {}", package));
}

}  // namespace

std::vector<Check> examine_host(const HostFacts& facts) {
  const std::string memory = format_bytes(static_cast<double>(facts.memory_bytes));
  std::vector<Check> checks = {
      program("compiler", facts.compiler, "sudo apt-get install g++"),
      program("python", facts.python, "sudo apt-get install python3-torch"),
      program("git", facts.git, "sudo apt-get install git"),
      confinement(facts),
      landlock(facts),
      seccomp(facts),
      namespaces(facts.bubblewrap),
      cpus(facts.cpus),
      lease(facts),
      when("memory", Need::kRequired, facts.memory_bytes >= kNeededMemory,
           fmt::format("{} available", memory), "free memory: 2 GiB are needed"),
      library("onednn", facts.onednn, "libdnnl-dev"),
      library("openblas", facts.openblas, "libopenblas-pthread-dev"),
      when("nvcc", Need::kOptional, facts.nvcc.has_value(),
           facts.nvcc ? *facts.nvcc
                      : facts.nvcc.error().cause + ": problems with target \"cuda\" can't be used",
           "install the CUDA toolkit, or set FK_NVCC to its nvcc"),
  };
  for (const AgentFacts& each : facts.agents) checks.push_back(agent(each));
  return checks;
}

std::string render_checks(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) {
    const std::string_view mark = check.finding == Finding::kFine ? "ok"
                                  : check.need == Need::kRequired ? "MISSING"
                                                                  : "optional";
    text += fmt::format("{:<9} {:<11} {}\n", mark, check.name, check.detail);
    if (!check.remedy.empty()) text += fmt::format("{:<21} fix: {}\n", "", check.remedy);
  }
  return text;
}

bool something_needed_is_missing(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.need == Need::kRequired && check.finding == Finding::kMissing;
  });
}

}  // namespace forge
