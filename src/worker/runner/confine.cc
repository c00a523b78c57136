#include "worker/runner/confine.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/confine/landlock.h"
#include "sys/confine/privileges.h"
#include "worker/runner_protocol.h"

namespace forge::runner {
namespace {

int set_limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  return setrlimit(static_cast<__rlimit_resource_t>(resource), &both) == 0 ? 0 : errno;
}

// What threads, allocators and OpenMP need.
constexpr int kAllowed[] = {
    SCMP_SYS(futex),
    SCMP_SYS(munmap),
    SCMP_SYS(brk),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getrandom),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(mremap),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(getcpu),
};

// Harmless questions that libc asks and survives without: they fail instead of ending the run.
constexpr int kFailQuietly[] = {
    SCMP_SYS(ioctl), SCMP_SYS(readlink), SCMP_SYS(prlimit64), SCMP_SYS(getrusage),
    SCMP_SYS(uname), SCMP_SYS(statx),    SCMP_SYS(sysinfo),
};

// What the loader needs to map the image, besides.
constexpr int kLoading[] = {
    SCMP_SYS(openat), SCMP_SYS(read),       SCMP_SYS(pread64), SCMP_SYS(close),
    SCMP_SYS(mmap),   SCMP_SYS(mprotect),   SCMP_SYS(seccomp), SCMP_SYS(prctl),
    SCMP_SYS(fstat),  SCMP_SYS(newfstatat), SCMP_SYS(getcwd),
};

class Filter {
 public:
  // The action on everything without a rule: a trap, whose handler names the call.
  Filter() : context_(seccomp_init(SCMP_ACT_TRAP)), failed_(context_ == nullptr) {}
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <typename... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    failed_ = failed_ ||
              seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...) != 0;
  }
  int load() { return failed_ ? EINVAL : -seccomp_load(context_); }

 private:
  scmp_filter_ctx context_;
  bool failed_;
};

void add_common(Filter& filter) {
  for (const int call : kAllowed) filter.add(SCMP_ACT_ALLOW, call);
  for (const int call : kFailQuietly) filter.add(SCMP_ACT_ERRNO(EPERM), call);
  // clone3 hides its flags behind a pointer; libc falls back to clone where it is missing.
  filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  // Threads as libc makes them, to the bit: one that waits for another's end (CLONE_VFORK) could
  // not be stopped meanwhile.
  constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM |
                                    CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS |
                                    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_EQ, kThread));
  // What allocators and stacks of threads ask for; nothing that reaches into the measurer's memory
  // files (MADV_REMOVE) or marks pages as broken.
  for (const scmp_datum_t advice : {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED,
                                    MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE}) {
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(madvise), SCMP_A2(SCMP_CMP_EQ, advice));
  }
  for (const scmp_datum_t stream : {STDOUT_FILENO, STDERR_FILENO}) {
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, stream));
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(writev), SCMP_A0(SCMP_CMP_EQ, stream));
  }
  // The C library's own two, which its first thread sets up. Handlers of others would run before
  // the measurer's clock does, when the process is continued.
  for (const scmp_datum_t number : {32, 33}) {
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, number));
  }
  // What abort() needs. Signals that continue a process would keep it from being stopped.
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill),
             SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid())),
             SCMP_A2(SCMP_CMP_EQ, static_cast<scmp_datum_t>(SIGABRT)));
}

int load_first_filter() {
  Filter filter;
  add_common(filter);
  for (const int call : kLoading) filter.add(SCMP_ACT_ALLOW, call);
  return filter.load();
}

int load_second_filter() {
  Filter filter;
  add_common(filter);
  filter.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fstat));
  filter.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(newfstatat));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  return filter.load();
}

}  // namespace

ConfineResult confine_for_loading(std::uint64_t address_space_bytes) {
  ConfineResult result;
  // No file may grow, memory files included; no core dumps with other people's data in them.
  for (const auto& [resource, value] : {std::pair<int, std::uint64_t>{RLIMIT_FSIZE, 0},
                                        {RLIMIT_CORE, 0},
                                        {RLIMIT_NOFILE, 32},
                                        {RLIMIT_MEMLOCK, 0},
                                        {RLIMIT_MSGQUEUE, 0},
                                        {RLIMIT_AS, address_space_bytes}}) {
    if (const int error = set_limit(resource, value)) result.error = error;
  }
  signal(SIGXFSZ, SIG_IGN);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    result.layers |= kLayerNoNewPrivileges;
  } else {
    result.error = errno;
  }
  // No path at all. Memory files stay reachable, since they belong to no mounted file system.
  if (const int error = confine::restrict_to(nullptr, 0); error == 0) {
    result.layers |= kLayerLandlock;
  } else if (error != ENOSYS && error != EOPNOTSUPP) {
    result.error = error;
  }
  // Root's rights reach into the machine (to mark its memory as broken, say) by calls that are
  // allowed to everybody.
  if (const int error = confine::drop_capabilities(confine::Keep::kNothing)) result.error = error;
  if (const int error = load_first_filter()) result.error = error;
  return result;
}

ConfineResult confine_for_running() {
  ConfineResult result;
  // Nobody of the same user may trace us or open our memory; nor may we be asked to dump it.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) result.error = errno;
  if (const int error = load_second_filter(); error == 0) {
    result.layers |= kLayerSeccomp;
  } else {
    result.error = error;
  }
  return result;
}

}  // namespace forge::runner
