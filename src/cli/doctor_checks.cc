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

Check landlock(int abi) {
  if (abi > 0) {
    return when("landlock", Need::kRequired, true, fmt::format("ABI version {}", abi), "");
  }
  return when("landlock", Need::kRequired, false,
              "this kernel offers none, so candidates could read files while they are judged",
              "boot Linux 5.13 or newer with 'lsm=landlock,...'; see /sys/kernel/security/lsm");
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

}  // namespace

std::vector<Check> examine_host(const HostFacts& facts) {
  const std::string memory = format_bytes(static_cast<double>(facts.memory_bytes));
  return {
      program("compiler", facts.compiler, "sudo apt-get install g++"),
      program("python", facts.python, "sudo apt-get install python3-torch"),
      program("git", facts.git, "sudo apt-get install git"),
      landlock(facts.landlock_abi),
      when("seccomp", Need::kRequired, facts.seccomp,
           facts.seccomp ? "filters can be installed" : "this kernel has no system-call filters",
           "boot a kernel with CONFIG_SECCOMP_FILTER=y"),
      cpus(facts.cpus),
      lease(facts),
      when("memory", Need::kRequired, facts.memory_bytes >= kNeededMemory,
           fmt::format("{} available", memory), "free memory: 2 GiB are needed"),
      when(
          "onednn", Need::kOptional, facts.onednn,
          facts.onednn ? "headers found" : "no headers: problems whose reference uses it can't run",
          "sudo apt-get install libdnnl-dev"),
  };
}

std::string render_checks(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) {
    const std::string_view mark = check.finding == Finding::kFine ? "ok"
                                  : check.need == Need::kRequired ? "MISSING"
                                                                  : "optional";
    text += fmt::format("{:<9} {:<9} {}\n", mark, check.name, check.detail);
    if (!check.remedy.empty()) text += fmt::format("{:<19} fix: {}\n", "", check.remedy);
  }
  return text;
}

bool something_needed_is_missing(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.need == Need::kRequired && check.finding == Finding::kMissing;
  });
}

}  // namespace forge
