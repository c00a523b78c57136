// Starts a program in a process group of its own; process_real.cc waits for it. May know: base.
#pragma once

#include <sys/types.h>

#include "base/error.h"
#include "sys/process.h"
#include "sys/unique_fd.h"

namespace forge {

struct Spawned {
  pid_t pid = -1;
  UniqueFd pidfd;            // readable when the process has ended
  UniqueFd standard_output;  // read ends, not blocking
  UniqueFd standard_error;
};

// When this returns, the program runs (or its start has failed with an error). The child is killed
// when the calling thread ends, so call this from a thread that outlives the child. A valid `input`
// becomes its standard input instead of the spec's text.
Result<Spawned> spawn(const ProcessSpec& spec, UniqueFd input = {});

// Kills what is left of a group, and only then reaps its leader, whose status it returns: until
// then nobody else can get its number. Requires that the leader is our child.
int end_group(pid_t leader);

}  // namespace forge
