// Running other programs. May know: base. Fake: process_fake.h, which answers from a script.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

enum class EnvironmentMode { kInherit, kOnlyGiven };

struct ProcessLimits {
  std::chrono::milliseconds wall{0};              // 0: none
  std::uint64_t address_space_bytes = 0;          // 0: none
  std::uint64_t file_size_bytes = 0;              // 0: none
  std::uint64_t captured_output_bytes = 1 << 20;  // of each stream; the rest is read and dropped
};

// What a program may reach that works on what a stranger wrote; see sys/confine/ and
// docs/threat-model.md. Besides: no network, no signals, no way out of its process group, so that
// it ends with all that it started, also when we are killed.
enum class ConfinementKind {
  kProgram,
  kProbe,  // starts no program and prints which layers hold on this machine
  // An agent of its own accord: besides, it may have sockets to the network (never to programs of
  // this machine by a file or name), and signal what it started itself.
  kAgentOnline,
  kAgentOffline,  // the same without any network
};
struct Confinement {
  ConfinementKind kind = ConfinementKind::kProgram;
  std::vector<Path> readable;      // files, or folders with all below; to execute too. The
                                   // program itself always is
  std::vector<Path> writable;      // folders with all below
  int processes = 0;               // at once; 0: no limit
  std::uint64_t memory_bytes = 0;  // resident, of all processes together; 0: no limit
  std::chrono::seconds cpu{0};     // of each process; 0: no limit
};

struct ProcessSpec {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it has a slash
  Path working_directory;         // empty: ours
  EnvironmentMode environment_mode = EnvironmentMode::kInherit;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string standard_input;
  ProcessLimits limits;
  std::optional<Confinement> confinement;  // none: it may do what we may
};

struct Exited {
  int code = 0;
};
struct Signalled {
  int signal = 0;
};
struct TimedOut {
  std::chrono::milliseconds limit{0};
};
using ProcessEnd = std::variant<Exited, Signalled, TimedOut>;

struct ProcessResult {
  ProcessEnd end;
  std::string standard_output;
  std::string standard_error;
  bool output_was_cut = false;

  bool succeeded() const {
    const auto* exited = std::get_if<Exited>(&end);
    return exited != nullptr && exited->code == 0;
  }
  // "exited with 1", "was killed by SIGSEGV", "took longer than 30 s".
  std::string describe_end() const;
};

// A started process whose end is waited for elsewhere. Destroying it kills the whole group.
class Child {
 public:
  virtual ~Child() = default;
  virtual int pid() const = 0;
  // Waits at most `timeout`; nullopt if it still runs then.
  virtual Result<std::optional<ProcessResult>> wait(std::chrono::milliseconds timeout) = 0;
  virtual void kill_group() = 0;
  // What it printed so far, as far as wait() has read it; empty once it has ended.
  virtual std::string_view output_so_far() const = 0;
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Each process leads its own process group; when it ends or overruns a limit, the whole group is
  // killed, and it dies with us (PR_SET_PDEATHSIG). An error means it could not be started.
  virtual Result<ProcessResult> run(const ProcessSpec& spec) = 0;
  virtual Result<std::unique_ptr<Child>> start(const ProcessSpec& spec) = 0;
};

std::unique_ptr<ProcessRunner> make_real_process_runner();

// Where a program lies that has no slash in its name: the first of our PATH that can be executed.
// Absolute, not resolved further.
Result<std::string> find_program(const std::string& program);

}  // namespace forge
