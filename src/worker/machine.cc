#include "worker/machine.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "sys/pinned_process.h"

namespace forge {
namespace {

std::string cpu_model(FileReader& fs) {
  const auto text = fs.read("/proc/cpuinfo");
  if (!text) return "unknown";
  for (const std::string& line : split_lines(*text)) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) return std::string(trim(line.substr(colon + 1)));
  }
  return "unknown";
}

// "0,2-5" -> {0, 2, 3, 4, 5}
Result<std::vector<int>> parse_cpu_list(const std::string& text) {
  const Error malformed{ErrorKind::kInvalidInput, "cannot use", "FK_CPUS='" + text + "'",
                        "it is no list of CPUs", "write it like 0,2-5"};
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    char* end = nullptr;
    const long first = std::strtol(part.c_str(), &end, 10);
    long last = first;
    if (end == part.c_str()) return malformed;
    if (*end == '-') {
      const char* second = end + 1;
      last = std::strtol(second, &end, 10);
      if (end == second) return malformed;
    }
    if (*end != '\0' || first < 0 || last < first || last > 4095) return malformed;
    for (long cpu = first; cpu <= last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

// "libdnnl2 2.6.3-1" for the file of a library, by dpkg.
std::string package_of(const std::string& library, ProcessRunner& processes) {
  ProcessSpec find;
  find.argv = {"dpkg-query", "-S", "lib" + library + ".so*"};
  const auto found = processes.run(find);
  if (!found || !found->succeeded()) return {};
  const std::string& text = found->standard_output;
  std::string package = text.substr(0, text.find(": "));
  for (const std::string& line : split_lines(text)) {
    // The run-time package, not the headers'.
    const std::string name = line.substr(0, line.find(": "));
    if (name.find("-dev") == std::string::npos) package = name;
  }
  ProcessSpec version;
  version.argv = {"dpkg-query", "-W", "-f", "${Package} ${Version}", package};
  const auto shown = processes.run(version);
  return shown && shown->succeeded() ? shown->standard_output : std::string();
}

}  // namespace

Result<WorkerCpus> choose_worker_cpus() {
  std::vector<int> cpus = allowed_cpus();
  if (const char* given = std::getenv("FK_CPUS"); given != nullptr && *given != '\0') {
    FORGE_TRY(std::vector<int> wanted, parse_cpu_list(given));
    for (const int cpu : wanted) {
      if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) {
        return Error{ErrorKind::kInvalidInput, "cannot use", "FK_CPUS='" + std::string(given) + "'",
                     fmt::format("this process may not run on CPU {}", cpu), "see taskset -p $$"};
      }
    }
    cpus = std::move(wanted);
  }
  if (cpus.size() < 2) {
    return Error{ErrorKind::kInfrastructure, "cannot measure on",
                 fmt::format("{} CPU", cpus.size()),
                 "the measurer needs a core of its own beside the kernel's",
                 "allow at least two CPUs (FK_CPUS, taskset, container limits)"};
  }
  return WorkerCpus{{cpus.front()}, {cpus.begin() + 1, cpus.end()}};
}

MachineFacts machine_facts(FileReader& fs, const WorkerCpus& cpus) {
  MachineFacts facts;
  facts.cpu = cpu_model(fs);
  utsname name{};
  if (uname(&name) == 0) facts.kernel = fmt::format("{} {}", name.sysname, name.release);
  facts.cores = static_cast<int>(cpus.measurer.size() + cpus.arms.size());
  facts.measurer_cpus = cpus.measurer;
  facts.arm_cpus = cpus.arms;
  facts.libc = fmt::format("glibc {}", gnu_get_libc_version());
  return facts;
}

std::string describe_libraries(const std::vector<std::string>& libraries,
                               ProcessRunner& processes) {
  std::string text;
  for (const std::string& library : libraries) {
    const std::string package = package_of(library, processes);
    text += ", " + (package.empty() ? "lib" + library : package);
  }
  return text;
}

}  // namespace forge
