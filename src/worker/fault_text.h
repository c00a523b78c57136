// Says in words what a kernel's process did before it ended. Pure. May know: arena.h,
// runner_protocol.h, sys/process.h.
#pragma once

#include <string>

#include "bench/arm.h"
#include "problem/problem.h"
#include "sys/process.h"
#include "worker/arena.h"
#include "worker/runner_protocol.h"

namespace forge {

// Who may have written what the status page says: the runner alone, or the kernel as well.
enum class Speaker { kRunner, kKernel };

// The end of a process in or before a call. `status` is a claim and serves the message only; it
// makes the end nobody's fault only while the runner speaks alone.
ArmFault describe_process_end(const ProcessEnd& end, Speaker speaker,
                              const runner::StatusPage& status, const ArenaPlan& plan,
                              const Signature& signature, int shape);

// A set-up that the runner itself gave up.
ArmFault describe_setup_failure(const runner::StatusPage& status);

// Of StatusPage::refused_system_call, which holds the number + 1: "openat".
std::string system_call_name(std::uint32_t refused);

}  // namespace forge
