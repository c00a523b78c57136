#include "sys/confine/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "sys/confine/landlock.h"

namespace forge::confine {
namespace {

// By name: the headers at build time may not know the newest. What libseccomp does not know either
// is passed over.
constexpr const char* kNetwork[] = {"socket", "socketpair", "connect", "bind",    "listen",
                                    "accept", "accept4",    "sendto",  "sendmsg", "sendmmsg"};
constexpr const char* kSignals[] = {"kill", "tkill", "tgkill", "pidfd_open", "pidfd_send_signal"};
constexpr const char* kDenied[] = {
    // other processes; leaving the group, which is how the whole tree is ended
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_getfd", "ptrace", "process_vm_readv",
    "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "setsid", "setpgid",
    "setpriority",
    // memory and messages that outlive a process
    "shmget", "shmat", "shmctl", "semget", "semop", "semctl", "msgget", "msgsnd", "msgrcv",
    "mq_open", "mq_unlink", "add_key", "request_key", "keyctl",
    // namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    // other ways into the kernel
    "bpf", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "userfaultfd", "name_to_handle_at", "open_by_handle_at", "fanotify_init", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "iopl", "ioperm", "acct", "quotactl", "syslog", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "sethostname", "setdomainname", "vhangup"};

constexpr std::uint64_t kNewNamespaces[] = {CLONE_NEWNS,    CLONE_NEWUTS, CLONE_NEWIPC,
                                            CLONE_NEWUSER,  CLONE_NEWPID, CLONE_NEWNET,
                                            CLONE_NEWCGROUP};

bool may_stay(int capability, Keep keep) {
  return keep == Keep::kFileAccess &&
         (capability == CAP_DAC_OVERRIDE || capability == CAP_DAC_READ_SEARCH ||
          capability == CAP_FOWNER);
}

// Negative errno, as libseccomp has it.
template <std::size_t Count>
int deny(scmp_filter_ctx filter, const char* const (&names)[Count]) {
  for (const char* name : names) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) continue;
    if (const int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0)) return error;
  }
  return 0;
}

// All but IPv4, IPv6 and, to find out what addresses there are, netlink. A socket of the family
// AF_UNIX would reach whoever listens on this machine, a container engine for instance.
int deny_other_families(scmp_filter_ctx filter) {
  int error = 0;
  for (unsigned family = 0; family <= AF_NETLINK && error == 0; ++family) {
    if (family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
    error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                             SCMP_A0(SCMP_CMP_EQ, family));
  }
  if (error != 0) return error;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                          SCMP_A0(SCMP_CMP_GT, AF_NETLINK));
}

int deny_by_kind(scmp_filter_ctx filter, Calls calls) {
  if (calls == Calls::kOfProgram) {
    const int error = deny(filter, kNetwork);
    return error != 0 ? error : deny(filter, kSignals);
  }
  int error = landlock_abi() < kAbiWithSignals ? deny(filter, kSignals) : 0;
  if (error != 0) return error;
  if (calls == Calls::kOfAgentOnline) return deny_other_families(filter);
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 0);
}

int add_rules(scmp_filter_ctx filter, Calls calls) {
  int denied = deny(filter, kDenied);
  if (denied == 0) denied = deny_by_kind(filter, calls);
  if (denied != 0) return -denied;
  // clone3 hides its flags behind a pointer; libc falls back to clone where it is missing.
  int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  for (const std::uint64_t flag : kNewNamespaces) {
    if (error != 0) break;
    error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  }
  return -error;
}

}  // namespace

int drop_capabilities(Keep keep) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (syscall(SYS_capget, &header, data) != 0) return errno;
  if ((data[0].permitted | data[1].permitted) == 0) return 0;
  // Else root would have them all again after the next exec. Fails without CAP_SETPCAP, and then
  // no_new_privs is what keeps an exec from adding any.
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    if (!may_stay(capability, keep)) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  for (int capability = 0; capability < 64; ++capability) {
    if (may_stay(capability, keep)) continue;
    auto& word = data[capability / 32];
    const std::uint32_t bit = 1u << (capability % 32);
    word.permitted &= ~bit;
    word.effective &= ~bit;
    word.inheritable &= ~bit;
  }
  return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

int deny_system_calls(Calls calls) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return ENOMEM;
  int error = add_rules(filter, calls);
  if (error == 0) error = -seccomp_load(filter);
  seccomp_release(filter);
  return error;
}

}  // namespace forge::confine
