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

struct ProcessSpec {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it has a slash
  Path working_directory;         // empty: ours
  EnvironmentMode environment_mode = EnvironmentMode::kInherit;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string standard_input;
  ProcessLimits limits;
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

}  // namespace forge
