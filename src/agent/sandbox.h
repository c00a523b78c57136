// How a program that we did not write is kept inside its turn: bubblewrap, else the launcher with
// Landlock, else nothing. May know: base, sys. What holds and what does not: docs/threat-model.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

enum class Sandbox { kBubblewrap, kLandlock, kNone };
// What agents.toml asks for.
enum class SandboxChoice { kBest, kBubblewrap, kLandlock };

// Tries out what this machine offers. An error if the one that is asked for does not work here.
Result<Sandbox> find_sandbox(SandboxChoice choice, ProcessRunner& processes);
// As Backend::boundary() says it.
std::string boundary_of(Sandbox sandbox);

enum class AgentNetwork { kNone, kAllowed };

struct SandboxRequest {
  std::vector<std::string> argv;
  std::string program;  // absolute
  // All absolute. `view` is read, `workspace` below it written, `home` its home folder, empty and
  // written; what it finds there of `own_home` is read only.
  Path view;
  Path workspace;
  Path home;
  Path own_home;
  std::vector<std::string> config;  // relative to either home
  std::vector<Path> readable;       // besides the system's folders
  std::vector<std::pair<std::string, std::string>> environment;
  AgentNetwork network = AgentNetwork::kAllowed;
};

// Where the view lies as the program sees it.
Path view_inside(Sandbox sandbox, const Path& view);
// Limits and standard input are the caller's. Makes links in `home` where the sandbox needs them.
Result<ProcessSpec> sandboxed(Sandbox sandbox, const SandboxRequest& request, Fs& fs);

// What every sandboxed program can read, of this machine's own.
std::vector<Path> system_folders();

}  // namespace forge
