// forge-planner: loads one CUDA kernel's host code beside the recording runtime and calls
// forge_launch where there is no GPU. Started afresh for each recording, with the descriptors of
// recorder/setup.h; never by hand. Built without our libraries and without sanitizers, like the
// runner, whose confinement it puts on.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/cuda/recorder/control.h"
#include "target/cuda/recorder/recording.h"
#include "target/cuda/recorder/setup.h"
#include "worker/runner/confine.h"
#include "worker/runner/faults.h"
#include "worker/runner_protocol.h"

namespace forge::planner {
namespace {

using recorder::Call;
using recorder::Mode;
using recorder::Setup;
using runner::Phase;
using runner::SetupFailure;
using runner::StatusPage;

using LaunchFunction = int (*)(const void* args, void* stream);
using WorkspaceFunction = std::size_t (*)(const void* dims);
using InitFunction = void (*)(int, char**, char**);

constexpr std::size_t kStackBytes = 8u << 20;
// Of the stack, from its top: deeper frames hold what their own callers left.
constexpr std::size_t kFilledBytes = 1u << 20;

struct Session {
  StatusPage* status = nullptr;
  const std::byte* setup = nullptr;
  const Setup* header = nullptr;
  void* recording = nullptr;
  LaunchFunction launch = nullptr;
  WorkspaceFunction workspace_size = nullptr;
  void* stream = nullptr;
  std::byte* stack = nullptr;
  // What a call needs of the recording runtime.
  decltype(&forge_recorder_begin) begin = nullptr;
  decltype(&forge_recorder_end) end = nullptr;
  decltype(&forge_recorder_workspace) workspace = nullptr;
};

[[noreturn]] void fail(Session& session, SetupFailure failure, const char* text) {
  session.status->system_error = static_cast<std::uint32_t>(errno);
  snprintf(session.status->text, sizeof session.status->text, "%s", text);
  session.status->setup_failure = static_cast<std::uint32_t>(failure);
  _exit(125);
}

void set_phase(Session& session, Phase phase) {
  session.status->phase = static_cast<std::uint32_t>(phase);
}

void* map_fd(Session& session, int fd, std::size_t bytes, int protection) {
  void* address = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (address == MAP_FAILED) fail(session, SetupFailure::kMapping, "cannot map shared memory");
  return address;
}

void map_memory(Session& session) {
  session.status = static_cast<StatusPage*>(mmap(
      nullptr, runner::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, recorder::kStatusFd, 0));
  if (session.status == MAP_FAILED) _exit(125);
  session.status->magic = runner::kMagic;
  const off_t bytes = lseek(recorder::kSetupFd, 0, SEEK_END);
  if (bytes < static_cast<off_t>(sizeof(Setup))) {
    fail(session, SetupFailure::kProtocol, "setup is short");
  }
  session.setup = static_cast<const std::byte*>(
      map_fd(session, recorder::kSetupFd, static_cast<std::size_t>(bytes), PROT_READ));
  session.header = reinterpret_cast<const Setup*>(session.setup);
  if (session.header->magic != recorder::kSetupMagic ||
      session.header->version != recorder::kSetupVersion) {
    fail(session, SetupFailure::kProtocol, "worker and planner speak different versions");
  }
  session.recording = map_fd(session, recorder::kRecordingFd, session.header->recording_bytes,
                             PROT_READ | PROT_WRITE);
  session.stack = static_cast<std::byte*>(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0));
  if (session.stack == MAP_FAILED) fail(session, SetupFailure::kMapping, "cannot map a stack");
  for (const int fd : {recorder::kStatusFd, recorder::kSetupFd, recorder::kRecordingFd}) close(fd);
}

template <typename F>
F symbol(Session& session, void* library, const char* name) {
  auto* address = reinterpret_cast<F>(dlsym(library, name));
  if (address == nullptr)
    fail(session, SetupFailure::kProtocol, "the recording runtime is another's");
  return address;
}

void load_recorder(Session& session) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", recorder::kRecorderFd);
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) fail(session, SetupFailure::kProtocol, dlerror());
  close(recorder::kRecorderFd);
  symbol<decltype(&forge_recorder_open)>(session, library, "forge_recorder_open")(
      session.setup, session.recording);
  session.stream =
      symbol<decltype(&forge_recorder_stream)>(session, library, "forge_recorder_stream")();
  session.begin = symbol<decltype(session.begin)>(session, library, "forge_recorder_begin");
  session.end = symbol<decltype(session.end)>(session, library, "forge_recorder_end");
  session.workspace =
      symbol<decltype(session.workspace)>(session, library, "forge_recorder_workspace");
  if (session.header->mode == Mode::kOccupancy) {
    symbol<decltype(&forge_recorder_answer)>(session, library, "forge_recorder_answer")();
  }
}

void note_layers(Session& session, const runner::ConfineResult& result) {
  if (result.error != 0) {
    errno = result.error;
    fail(session, SetupFailure::kConfinement, "cannot give up rights");
  }
  session.status->layers |= result.layers;
}

void preload_libraries() {
  for (const char* name :
       {"libstdc++.so.6", "libm.so.6", "libmvec.so.1", "libgcc_s.so.1", "libgomp.so.1"}) {
    dlopen(name, RTLD_NOW | RTLD_GLOBAL);  // a missing one shows when a kernel needs it
  }
}

// The address that initialisers are relative to.
std::uint64_t load_kernel(Session& session) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", recorder::kImageFd);
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail(session, SetupFailure::kLoad, dlerror());
  session.launch = reinterpret_cast<LaunchFunction>(dlsym(handle, "forge_launch"));
  if (session.launch == nullptr) fail(session, SetupFailure::kLoad, "forge_launch is not defined");
  session.workspace_size = reinterpret_cast<WorkspaceFunction>(dlsym(handle, "forge_workspace"));
  close(recorder::kImageFd);
  const link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    fail(session, SetupFailure::kLoad, "cannot find the kernel's load address");
  }
  return map->l_addr;
}

void run_initialisers(const Session& session, std::uint64_t load_address) {
  const auto* slots =
      reinterpret_cast<const std::uint64_t*>(session.setup + session.header->initialisers.offset);
  for (std::uint64_t i = 0; i < session.header->initialisers.count; ++i) {
    const auto function = *reinterpret_cast<InitFunction*>(load_address + slots[i]);
    if (function != nullptr) function(0, nullptr, nullptr);
  }
}

struct CallTask {
  Session* session;
  std::uint32_t index;
};

// In a thread of its own, whose stack holds the call's fill.
void* make_call(void* argument) {
  const auto& task = *static_cast<CallTask*>(argument);
  Session& session = *task.session;
  alignas(16) static char signal_stack[16384];
  stack_t alternate{};
  alternate.ss_sp = signal_stack;
  alternate.ss_size = sizeof signal_stack;
  sigaltstack(&alternate, nullptr);
  const Call& call =
      reinterpret_cast<const Call*>(session.setup + session.header->calls.offset)[task.index];
  std::uint64_t bytes = 0;
  if (session.workspace_size != nullptr) bytes = session.workspace_size(session.setup + call.dims);
  session.workspace(task.index, bytes);
  if (bytes > session.header->workspace_limit_bytes) {
    session.status->workspace_bytes = bytes;
    fail(session, SetupFailure::kWorkspace, "forge_workspace asks for more than the device has");
  }
  // Args lies on this stack, where a kernel that reads behind it finds the fill.
  auto* args = static_cast<std::byte*>(__builtin_alloca_with_align(call.args_bytes, 512));
  memcpy(args, session.setup + call.args, call.args_bytes);
  const std::uint64_t address = bytes == 0 ? 0 : call.workspace_address;
  memcpy(args + call.workspace_pointer, &address, sizeof address);
  memcpy(args + call.workspace_size, &bytes, sizeof bytes);
  session.begin(task.index);
  session.end(session.launch(args, session.stream));
  return nullptr;
}

void fill_unwritten_memory(const Session& session, unsigned char fill) {
  memset(session.stack + kStackBytes - kFilledBytes, fill, kFilledBytes);
  // glibc fills what it hands out with the complement.
  mallopt(M_PERTURB, fill ^ 0xff);
}

void make_calls(Session& session) {
  const auto* calls = reinterpret_cast<const Call*>(session.setup + session.header->calls.offset);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, session.stack, kStackBytes);
  for (std::uint32_t i = 0; i < session.header->calls.count; ++i) {
    fill_unwritten_memory(session, static_cast<unsigned char>(calls[i].fill));
    session.status->ready = i + 1;  // for messages: the call that is under way
    CallTask task{&session, i};
    pthread_t thread;
    if (pthread_create(&thread, &attributes, make_call, &task) != 0) {
      fail(session, SetupFailure::kMapping, "cannot start a thread");
    }
    pthread_join(thread, nullptr);
    session.status->done = i + 1;
  }
}

}  // namespace

int run() {
  Session session;
  map_memory(session);
  runner::note_faults_in(session.status);
  preload_libraries();
  load_recorder(session);
  if (session.header->mode == Mode::kOccupancy) _exit(0);
  set_phase(session, Phase::kConfining);
  constexpr std::uint64_t kLibrariesAndStacks = 1ull << 30;
  note_layers(session,
              runner::confine_for_loading(session.header->memory_limit_bytes +
                                          session.header->recording_bytes + kLibrariesAndStacks));
  set_phase(session, Phase::kLoading);
  const std::uint64_t load_address = load_kernel(session);
  // From here on the candidate's code runs, so everything is given up first.
  note_layers(session, runner::confine_for_running());
  set_phase(session, Phase::kInitialising);
  run_initialisers(session, load_address);
  set_phase(session, Phase::kServing);
  make_calls(session);
  _exit(0);
}

}  // namespace forge::planner

int main() { return forge::planner::run(); }
