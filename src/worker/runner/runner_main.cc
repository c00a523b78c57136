// forge-runner: loads one kernel and calls it when told to. Started afresh by the measurer for each
// trial, with the descriptors of runner_protocol.h; never by hand. Built without our libraries and
// without sanitizers, since the kernel shares its address space and its confinement.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "worker/runner/confine.h"
#include "worker/runner/faults.h"
#include "worker/runner_protocol.h"

namespace forge::runner {
namespace {

using LaunchFunction = int (*)(const void* args, void* stream);
using WorkspaceFunction = std::size_t (*)(const void* dims);
using InitFunction = void (*)(int, char**, char**);

struct Session {
  const CommandPage* command = nullptr;
  StatusPage* status = nullptr;
  const std::byte* setup = nullptr;
  const SetupHeader* header = nullptr;
  std::byte* arenas[2] = {nullptr, nullptr};
  LaunchFunction launch = nullptr;
  WorkspaceFunction workspace_size = nullptr;
  std::byte* workspace = nullptr;
  std::uint64_t* workspace_bytes = nullptr;  // one a shape

  template <typename T>
  const T* table(const TableRef& ref) const {
    return reinterpret_cast<const T*>(setup + ref.offset);
  }
};

[[noreturn]] void fail(Session& session, SetupFailure failure, const char* text) {
  if (session.status != nullptr) {
    session.status->system_error = static_cast<std::uint32_t>(errno);
    snprintf(session.status->text, sizeof session.status->text, "%s", text);
    session.status->setup_failure = static_cast<std::uint32_t>(failure);
  }
  _exit(125);
}

void* map_fd(Session& session, int fd, std::size_t bytes, int protection) {
  if (bytes == 0) return nullptr;
  // Populated now: a page fault during a timed call would be counted as the kernel's.
  void* address = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (address == MAP_FAILED) fail(session, SetupFailure::kMapping, "cannot map shared memory");
  return address;
}

std::size_t file_bytes(int fd) {
  const off_t end = lseek(fd, 0, SEEK_END);
  return end < 0 ? 0 : static_cast<std::size_t>(end);
}

void map_memory(Session& session) {
  session.status = static_cast<StatusPage*>(
      mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, kStatusFd, 0));
  if (session.status == MAP_FAILED) _exit(125);
  session.status->magic = kMagic;
  session.command =
      static_cast<const CommandPage*>(map_fd(session, kCommandFd, kPageBytes, PROT_READ));
  const std::size_t setup_bytes = file_bytes(kSetupFd);
  if (setup_bytes < sizeof(SetupHeader)) fail(session, SetupFailure::kProtocol, "setup is short");
  session.setup = static_cast<std::byte*>(map_fd(session, kSetupFd, setup_bytes, PROT_READ));
  session.header = reinterpret_cast<const SetupHeader*>(session.setup);
  if (session.header->magic != kMagic || session.header->version != kVersion ||
      session.command->magic != kMagic || session.command->version != kVersion) {
    fail(session, SetupFailure::kProtocol, "measurer and runner speak different versions");
  }
  const SetupHeader& header = *session.header;
  session.arenas[0] =
      static_cast<std::byte*>(map_fd(session, kInputsFd, header.inputs_bytes, PROT_READ));
  session.arenas[1] = static_cast<std::byte*>(
      map_fd(session, kOutputsFd, header.outputs_bytes, PROT_READ | PROT_WRITE));
  session.status->inputs_base = reinterpret_cast<std::uint64_t>(session.arenas[0]);
  session.status->outputs_base = reinterpret_cast<std::uint64_t>(session.arenas[1]);
  const auto* guards = session.table<Guard>(header.guards);
  for (std::uint64_t i = 0; i < header.guards.count; ++i) {
    std::byte* base = session.arenas[static_cast<int>(guards[i].region)];
    if (mprotect(base + guards[i].offset, guards[i].bytes, PROT_NONE) != 0) {
      fail(session, SetupFailure::kMapping, "cannot protect a guard page");
    }
  }
  for (const int fd : {kCommandFd, kStatusFd, kSetupFd, kInputsFd, kOutputsFd}) close(fd);
}

// The libraries that a kernel may use are opened while files still can be; later loads of the same
// names find them in memory.
void preload_libraries() {
  for (const char* name :
       {"libstdc++.so.6", "libm.so.6", "libmvec.so.1", "libgcc_s.so.1", "libgomp.so.1"}) {
    dlopen(name, RTLD_NOW | RTLD_GLOBAL);  // a missing one shows when a kernel needs it
  }
}

// Room for the arenas, the libraries and the kernel's own memory.
std::uint64_t address_space_limit(const SetupHeader& header) {
  constexpr std::uint64_t kLibrariesAndStacks = 1ull << 30;
  return header.memory_limit_bytes + header.inputs_bytes + header.outputs_bytes +
         kLibrariesAndStacks;
}

inline void pause_a_little() { __builtin_ia32_pause(); }

void note_layers(Session& session, const ConfineResult& result) {
  if (result.error != 0) {
    errno = result.error;
    fail(session, SetupFailure::kConfinement, "cannot give up rights");
  }
  session.status->layers |= result.layers;
}

void load_kernel(Session& session) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", kImageFd);
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail(session, SetupFailure::kLoad, dlerror());
  session.launch = reinterpret_cast<LaunchFunction>(dlsym(handle, "forge_launch"));
  if (session.launch == nullptr) fail(session, SetupFailure::kLoad, "forge_launch is not defined");
  session.workspace_size = reinterpret_cast<WorkspaceFunction>(dlsym(handle, "forge_workspace"));
  close(kImageFd);
  const link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    fail(session, SetupFailure::kLoad, "cannot find the kernel's load address");
  }
  // From here on the candidate's code runs, so everything is given up first.
  const SetupHeader& header = *session.header;
  if (header.confinement == Confinement::kCandidate) {
    note_layers(session, confine_for_running());
  }
  session.status->phase = static_cast<std::uint32_t>(Phase::kInitialising);
  while (session.command->admitted.load(std::memory_order_acquire) == 0) pause_a_little();
  const auto* slots = session.table<std::uint64_t>(header.initialisers);
  for (std::uint64_t i = 0; i < header.initialisers.count; ++i) {
    const auto function = *reinterpret_cast<InitFunction*>(map->l_addr + slots[i]);
    if (function != nullptr) function(0, nullptr, nullptr);
  }
}

void allocate_workspace(Session& session) {
  const SetupHeader& header = *session.header;
  const auto* shapes = session.table<ShapeEntry>(header.shapes);
  const auto* bytes = session.table<std::byte>(header.bytes);
  session.workspace_bytes =
      static_cast<std::uint64_t*>(calloc(header.shapes.count + 1, sizeof(std::uint64_t)));
  if (session.workspace_bytes == nullptr) _exit(125);
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; session.workspace_size != nullptr && i < header.shapes.count; ++i) {
    session.workspace_bytes[i] = session.workspace_size(bytes + shapes[i].dims_offset);
    if (session.workspace_bytes[i] > largest) largest = session.workspace_bytes[i];
  }
  session.status->workspace_bytes = largest;
  if (largest > header.memory_limit_bytes) {
    fail(session, SetupFailure::kWorkspace, "forge_workspace asks for more than the limit");
  }
  if (largest == 0) return;
  void* memory = mmap(nullptr, largest, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) fail(session, SetupFailure::kWorkspace, "cannot map the workspace");
  session.workspace = static_cast<std::byte*>(memory);
  memset(session.workspace, 0xff, largest);  // NaN, so that unwritten scratch shows
}

// Args with its pointers filled in, in memory of our own, made anew for every call.
void fill_args(const Session& session, const ArgsEntry& entry, std::byte* args) {
  const auto* bytes = session.table<std::byte>(session.header->bytes);
  memcpy(args, bytes + entry.image_offset, entry.image_bytes);
  const auto* relocations = session.table<Relocation>(session.header->relocations);
  for (std::uint64_t i = 0; i < entry.relocations; ++i) {
    const Relocation& relocation = relocations[entry.first_relocation + i];
    std::byte* target =
        session.arenas[static_cast<int>(relocation.region)] + relocation.region_offset;
    memcpy(args + relocation.args_offset, &target, sizeof target);
  }
  const std::uint64_t size = session.workspace_bytes[entry.shape];
  std::byte* workspace = size == 0 ? nullptr : session.workspace;
  memcpy(args + entry.workspace_offset, &workspace, sizeof workspace);
  memcpy(args + entry.workspace_bytes_offset, &size, sizeof size);
}

std::byte* allocate_args(const Session& session) {
  std::uint64_t largest = 64;
  const auto* entries = session.table<ArgsEntry>(session.header->entries);
  for (std::uint64_t i = 0; i < session.header->entries.count; ++i) {
    if (entries[i].image_bytes > largest) largest = entries[i].image_bytes;
  }
  auto* args = static_cast<std::byte*>(aligned_alloc(64, (largest + 63) / 64 * 64));
  if (args == nullptr) _exit(125);
  return args;
}

void make_call(Session& session, std::uint32_t call, std::byte* args) {
  const std::uint64_t index = session.command->entry.load(std::memory_order_relaxed);
  if (index >= session.header->entries.count) _exit(125);
  fill_args(session, session.table<ArgsEntry>(session.header->entries)[index], args);
  const int result = session.launch(args, nullptr);
  if (result != 0) session.status->launch_result.store(result, std::memory_order_relaxed);
  session.status->done.store(call, std::memory_order_release);
}

// Spins; the measurer holds the clock and stops this process whenever another arm's turn comes.
[[noreturn]] void serve(Session& session) {
  std::byte* args = allocate_args(session);
  const CommandPage& command = *session.command;
  std::uint32_t last_call = 0;
  session.status->phase.store(static_cast<std::uint32_t>(Phase::kServing),
                              std::memory_order_release);
  while (true) {
    const std::uint32_t go = command.go.load(std::memory_order_acquire);
    if (go != last_call) {
      last_call = go;
      make_call(session, go, args);
      continue;
    }
    const std::uint32_t armed = command.armed.load(std::memory_order_relaxed);
    if (armed == kRest) {
      constexpr timespec kWhile{0, 200'000};
      nanosleep(&kWhile, nullptr);
      continue;
    }
    session.status->ready.store(armed, std::memory_order_release);
    pause_a_little();
  }
}

}  // namespace

int run() {
  Session session;
  map_memory(session);
  note_faults_in(session.status);
  preload_libraries();
  session.status->phase = static_cast<std::uint32_t>(Phase::kConfining);
  if (session.header->confinement == Confinement::kCandidate) {
    note_layers(session, confine_for_loading(address_space_limit(*session.header)));
  }
  session.status->phase = static_cast<std::uint32_t>(Phase::kLoading);
  load_kernel(session);
  allocate_workspace(session);
  serve(session);
}

}  // namespace forge::runner

int main() { return forge::runner::run(); }
