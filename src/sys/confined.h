// Starting programs with few rights: how a ProcessSpec with a Confinement becomes a call of the
// launcher that is carried inside our executables (sys/confine/). May know: base, process.h.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "sys/process.h"

namespace forge {

// The launcher, a sealed memory file that lives as long as this process, to be executed.
Result<int> launcher_fd();
// The same without `confinement`: arguments of the launcher, which becomes the program at
// `executable`, whose own file it may then read.
ProcessSpec through_launcher(const ProcessSpec& spec, const std::string& executable);

// What the launcher says on standard error, and its exit codes, when it could not confine itself or
// not become the program.
inline constexpr int kNotConfined = 125;
inline constexpr int kNotStarted = 127;
inline constexpr std::string_view kLauncherName = "forge-launcher: ";
// If the launcher ended a program for passing a limit: which, in words; else empty.
std::string passed_limit(const ProcessResult& result);

// Which layers a confined program has on this machine, each tried out: of "no-new-privileges",
// "landlock", "capabilities", "seccomp".
Result<std::vector<std::string>> confinement_layers(ProcessRunner& processes);

}  // namespace forge
