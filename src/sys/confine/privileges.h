// What a confined program gives up besides paths. Plain C++ without our libraries. May know: Linux,
// libseccomp.
#pragma once

namespace forge::confine {

enum class Keep {
  kNothing,
  kFileAccess,  // root may go on ignoring permission bits; Landlock still holds
};

// Root is an ordinary user from here on, across exec too. Nothing to do for others. 0 or errno.
int drop_capabilities(Keep keep);

enum class Calls {
  // For programs that are honest but work on what a stranger wrote: compilers. No network, no
  // signals to anybody.
  kOfProgram,
  // For agents: pairs of sockets between their own processes, sockets to the network or none, and
  // signals, which Landlock keeps among their own where it can; else none of those.
  kOfAgentOnline,
  kOfAgentOffline,
};
// Besides: no leaving of the process group, no tracing, no namespaces, nothing of the kernel's
// administration; everything else stays allowed. 0 or errno.
int deny_system_calls(Calls calls);

}  // namespace forge::confine
