// The composition root: the one place where real effects, the agent and the delivery are chosen.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.h"
#include "cli/local_env.h"
#include "cli/subcommands.h"
#include "delivery/local.h"
#include "run/paths.h"
#include "sys/disk_use.h"
#include "sys/interrupt.h"
#include "sys/lock_owner.h"

namespace forge {
namespace {

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

// A dumb terminal can't overwrite a line.
Terminal terminal_of(int descriptor) {
  const char* kind = std::getenv("TERM");
  const bool is_dumb = kind == nullptr || std::string_view(kind) == "dumb";
  return isatty(descriptor) == 1 && !is_dumb ? Terminal::kLive : Terminal::kPlain;
}

// Asked at every drawing, which is how a resized window is noticed.
winsize terminal_size() {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
      return size;
    }
  }
  winsize usual{};
  usual.ws_col = 80;
  usual.ws_row = 24;
  return usual;
}

// FK_WORKER, else forge-worker beside this executable.
Result<Path> worker_executable(Fs& fs) {
  Path worker;
  if (const auto configured = environment("FK_WORKER"); configured && !configured->empty()) {
    worker = *configured;
  } else {
    std::error_code ignored;
    worker = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    worker /= "forge-worker";
  }
  if (fs.exists(worker) && !fs.is_directory(worker)) return worker;
  return Error{ErrorKind::kNotFound, "cannot find the worker", worker.string(),
               "there is no such file", "run ./dev build, or set FK_WORKER to its path"};
}

int real_main(const std::vector<std::string>& arguments) {
  install_interrupt_handler();
  const auto fs = make_real_fs();
  const auto processes = make_real_process_runner();
  const auto clock = make_real_clock();
  const auto entropy = make_real_entropy();
  Context context{std::cout,
                  std::cerr,
                  terminal_of(STDOUT_FILENO),
                  terminal_of(STDERR_FILENO),
                  [] { return int{terminal_size().ws_col}; },
                  [] { return int{terminal_size().ws_row}; },
                  *fs,
                  *processes,
                  *clock,
                  *entropy,
                  environment,
                  interrupted,
                  pause_or_interrupt,
                  lock_owner,
                  disk_use,
                  [&]() -> Result<std::unique_ptr<Delivery>> {
                    FORGE_TRY(Path worker, worker_executable(*fs));
                    return make_local_delivery(std::move(worker), *fs, *processes);
                  },
                  [&] {
                    return AgentWorld{*fs,         *processes,
                                      *clock,      with_local_env(*fs, environment),
                                      interrupted, pause_or_interrupt};
                  },
                  Path(kRunsFolder)};
  const int status = run_forge(arguments, context);
  // Output that could not be written (a full disk) must not look like success.
  if (!std::cout.flush()) {
    std::cerr << "forge: cannot write the output: the disk is full or the reader is gone\n";
    return kExitError;
  }
  return status;
}

}  // namespace
}  // namespace forge

int main(int argc, char** argv) {
  try {
    return forge::real_main({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "forge: cannot go on: %s\n", error.what());
    return forge::kExitError;
  }
}
