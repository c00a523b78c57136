#include "agent/sandbox.h"

#include <fmt/format.h>

#include <algorithm>

#include "sys/confined.h"
#include "sys/lies_within.h"

namespace forge {
namespace {

constexpr const char* kViewInside = "/turn";
constexpr const char* kHomeInside = "/home/agent";
// Programs, libraries, compilers, headers.
constexpr const char* kSystemFolders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"};
// Of /etc what name resolution, encryption and the dynamic linker need, and no more: it may hold
// secrets.
constexpr const char* kSystemFiles[] = {
    "/etc/ssl",       "/etc/ca-certificates", "/etc/pki",           "/etc/alternatives",
    "/etc/hosts",     "/etc/resolv.conf",     "/etc/nsswitch.conf", "/etc/host.conf",
    "/etc/gai.conf",  "/etc/ld.so.cache",     "/etc/ld.so.conf",    "/etc/ld.so.conf.d",
    "/etc/localtime", "/etc/passwd",          "/etc/group",         "/etc/protocols",
    "/etc/services"};

bool works(ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {"bwrap",
               "--unshare-user",
               "--unshare-pid",
               "--unshare-ipc",
               "--disable-userns",
               "--ro-bind",
               "/",
               "/",
               "--proc",
               "/proc",
               "--dev",
               "/dev",
               "true"};
  spec.limits.wall = std::chrono::seconds(10);
  const auto result = processes.run(spec);
  return result && result->succeeded();
}

bool has_landlock(ProcessRunner& processes) {
  const auto layers = confinement_layers(processes);
  return layers && std::find(layers->begin(), layers->end(), "landlock") != layers->end();
}

Error not_here(std::string_view which, std::string_view remedy) {
  return Error{ErrorKind::kEnvironment, "cannot confine the agent with", std::string(which),
               "it does not work on this machine", std::string(remedy)};
}

std::vector<std::pair<std::string, std::string>> environment_of(const SandboxRequest& request,
                                                                const Path& home,
                                                                const Path& temporary) {
  std::vector<std::pair<std::string, std::string>> environment = {
      {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
      {"HOME", home.string()},
      {"TMPDIR", temporary.string()},
      {"USER", "agent"},
      {"LANG", "C.UTF-8"},
      {"TERM", "dumb"}};
  environment.insert(environment.end(), request.environment.begin(), request.environment.end());
  return environment;
}

class BubblewrapLine {
 public:
  void add(std::initializer_list<std::string> words) {
    argv_.insert(argv_.end(), words.begin(), words.end());
  }
  // The same path inside as outside; one that is not there is passed over.
  void show(const Path& path) { add({"--ro-bind-try", path.string(), path.string()}); }

  std::vector<std::string> argv_ = {"bwrap"};
};

ProcessSpec with_bubblewrap(const SandboxRequest& request) {
  BubblewrapLine line;
  // --as-pid-1 is not asked for: bubblewrap's own first process ends all others with the program.
  line.add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
            "--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session",
            "--cap-drop", "ALL", "--hostname", "turn"});
  if (request.network == AgentNetwork::kNone) line.add({"--unshare-net"});
  for (const char* folder : kSystemFolders) line.show(folder);
  for (const char* file : kSystemFiles) line.show(file);
  line.add({"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", kHomeInside});
  line.show(request.program);
  for (const Path& path : request.readable) line.show(path);
  for (const std::string& path : request.config) {
    line.add(
        {"--ro-bind-try", (request.own_home / path).string(), (Path(kHomeInside) / path).string()});
  }
  const Path inside = kViewInside;
  const Path below = request.workspace.lexically_relative(request.view);
  line.add({"--ro-bind", request.view.string(), inside.string()});
  line.add({"--bind", request.workspace.string(), (inside / below).string()});
  line.add({"--remount-ro", "/", "--chdir", inside.string(), "--", request.program});
  line.argv_.insert(line.argv_.end(), request.argv.begin() + 1, request.argv.end());
  ProcessSpec spec;
  spec.argv = std::move(line.argv_);
  spec.environment = environment_of(request, kHomeInside, "/tmp");
  return spec;
}

// Links rather than copies: what keys an agent has of its own do not come into the run.
Status link_config(const SandboxRequest& request, Fs& fs) {
  for (const std::string& path : request.config) {
    const Path target = request.own_home / path;
    if (!fs.exists(target)) continue;
    FORGE_TRY_STATUS(fs.make_directories((request.home / path).parent_path()));
    FORGE_TRY_STATUS(fs.make_link(target, request.home / path));
  }
  return {};
}

Result<ProcessSpec> with_landlock(const SandboxRequest& request, Fs& fs) {
  FORGE_TRY_STATUS(fs.make_directories(request.home / "tmp"));
  FORGE_TRY_STATUS(link_config(request, fs));
  ProcessSpec spec;
  spec.argv = request.argv;
  spec.argv[0] = request.program;
  spec.working_directory = request.view;
  spec.environment = environment_of(request, request.home, request.home / "tmp");
  Confinement& confinement = spec.confinement.emplace();
  confinement.kind = request.network == AgentNetwork::kAllowed ? ConfinementKind::kAgentOnline
                                                               : ConfinementKind::kAgentOffline;
  confinement.readable.assign(std::begin(kSystemFolders), std::end(kSystemFolders));
  confinement.readable.insert(confinement.readable.end(), std::begin(kSystemFiles),
                              std::end(kSystemFiles));
  confinement.readable.insert(confinement.readable.end(), request.readable.begin(),
                              request.readable.end());
  for (const std::string& path : request.config) {
    confinement.readable.push_back(request.own_home / path);
  }
  confinement.readable.push_back(request.view);
  confinement.readable.insert(confinement.readable.end(),
                              {"/dev/urandom", "/dev/random", "/dev/zero"});
  confinement.writable = {request.workspace, request.home, "/dev/null"};
  return spec;
}

}  // namespace

Result<Sandbox> find_sandbox(SandboxChoice choice, ProcessRunner& processes) {
  if (choice != SandboxChoice::kLandlock && works(processes)) return Sandbox::kBubblewrap;
  if (choice == SandboxChoice::kBubblewrap) {
    return not_here("bubblewrap", "install it and allow user namespaces; forge doctor says more");
  }
  if (has_landlock(processes)) return Sandbox::kLandlock;
  if (choice == SandboxChoice::kLandlock) return not_here("Landlock", "it needs Linux 5.13");
  return Sandbox::kNone;
}

std::string boundary_of(Sandbox sandbox) {
  switch (sandbox) {
    case Sandbox::kBubblewrap:
      return "enforced: the agent runs in namespaces of its own (bubblewrap)";
    case Sandbox::kLandlock:
      return "enforced: the agent runs under Landlock";
    case Sandbox::kNone:
      break;
  }
  return "advisory";
}

Path view_inside(Sandbox sandbox, const Path& view) {
  return sandbox == Sandbox::kBubblewrap ? Path(kViewInside) : view;
}

std::vector<Path> system_folders() {
  std::vector<Path> folders(std::begin(kSystemFolders), std::end(kSystemFolders));
  folders.insert(folders.end(), std::begin(kSystemFiles), std::end(kSystemFiles));
  return folders;
}

Result<ProcessSpec> sandboxed(Sandbox sandbox, const SandboxRequest& request, Fs& fs) {
  ProcessSpec spec;
  if (sandbox == Sandbox::kBubblewrap) {
    spec = with_bubblewrap(request);
  } else {
    FORGE_TRY(spec, with_landlock(request, fs));
    if (sandbox == Sandbox::kNone) spec.confinement.reset();
  }
  spec.environment_mode = EnvironmentMode::kOnlyGiven;
  return spec;
}

}  // namespace forge
