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

// For programs that are honest but work on what a stranger wrote: compilers. No network, no signals
// to anybody, no leaving of the process group, no tracing, no namespaces, nothing of the kernel's
// administration; everything else stays allowed. 0 or errno.
int deny_system_calls();

}  // namespace forge::confine
