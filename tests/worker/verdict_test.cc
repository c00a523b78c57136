// Every way in which a kernel can fail gets a verdict of its own, in words, from the real worker:
// real compiler, real runner, real oracle.
#include <dirent.h>
#include <gmock/gmock.h>

#include "worker/aligned_saxpy.h"

namespace forge {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead = "#include \"forge_args.h\"\n#include <cstdlib>\n";
constexpr const char* kHonest = R"(
extern "C" int forge_launch(const Args* args, void*) {
  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = args->a * args->x[i] + args->z[i];
  return 0;
}
)";

std::string launch(const std::string& body) {
  return std::string(kHead) + "extern \"C\" int forge_launch(const Args* args, void*) {\n" + body +
         "\n  return 0;\n}\n";
}

std::string after_honest(const std::string& body) {
  return launch(
      "  for (std::int64_t i = 0; i < args->dims.n; ++i)\n"
      "    args->y[i] = args->a * args->x[i] + args->z[i];\n" +
      body);
}

class VerdictTest : public AlignedSaxpy {
 protected:
  static Result<JobResult> run(const std::string& id, const std::string& source,
                               double call_seconds) {
    FORGE_TRY(JobSpec job, rig_->job(JobKind::kJudge, id, saxpy_task()));
    job.limits.call_seconds = call_seconds;
    job.tolerance = *tolerance_;
    const Path file = rig_->folder() / (id + ".cpp");
    FORGE_TRY_STATUS(rig_->fs().write_atomic(file, source));
    return rig_->run(job, saxpy_task(), {candidate_arm(file), saxpy_reference()});
  }

  static CandidateOutcome judge(const std::string& id, const std::string& source,
                                double call_seconds = 5) {
    const auto result = run(id, source, call_seconds);
    if (!result) {
      ADD_FAILURE() << result.error().message();
      return NoVerdict{result.error().message()};
    }
    const auto& judged = std::get<JudgeResult>(result->body);
    if (!std::holds_alternative<Passed>(judged.outcome)) {
      EXPECT_TRUE(judged.contrasts.empty()) << "a kernel that did not pass was timed";
      EXPECT_TRUE(result->times.empty());
    }
    return judged.outcome;
  }

  static void expect(const std::string& id, const std::string& source, std::string_view verdict,
                     const std::string& words, double call_seconds = 5) {
    const CandidateOutcome outcome = judge(id, source, call_seconds);
    EXPECT_EQ(verdict_name(outcome), verdict) << explain(outcome);
    EXPECT_THAT(explain(outcome), HasSubstr(words));
  }
};

TEST_F(VerdictTest, HonestKernelsPass) {
  expect("honest", std::string(kHead) + kHonest, "passed", "");
  expect(
      "workspace",
      std::string(kHead) +
          "extern \"C\" std::size_t forge_workspace(const Dims* d) { return d->n * 4; }\n" +
          "extern \"C\" int forge_launch(const Args* args, void*) {\n"
          "  auto* scratch = static_cast<float*>(args->workspace);\n"
          "  if (args->workspace_bytes < static_cast<std::size_t>(args->dims.n) * 4) return 9;\n"
          "  for (std::int64_t i = 0; i < args->dims.n; ++i) scratch[i] = args->a * args->x[i];\n"
          "  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = scratch[i] + "
          "args->z[i];\n"
          "  return 0;\n}\n",
      "passed", "");
  expect("threads",
         "#include <thread>\n#include <vector>\n" +
             launch("  std::vector<std::thread> team;\n"
                    "  const std::int64_t n = args->dims.n;\n"
                    "  const unsigned asked = std::thread::hardware_concurrency();\n"
                    "  const std::int64_t count = asked == 0 ? 1 : 3;\n"
                    "  for (std::int64_t t = 0; t < count; ++t) team.emplace_back([=] {\n"
                    "    for (std::int64_t i = n * t / count; i < n * (t + 1) / count; ++i)\n"
                    "      args->y[i] = args->a * args->x[i] + args->z[i];\n"
                    "  });\n"
                    "  for (auto& one : team) one.join();"),
         "passed", "");
  expect("openmp",
         launch("#pragma omp parallel for num_threads(2)\n"
                "  for (std::int64_t i = 0; i < args->dims.n; ++i)\n"
                "    args->y[i] = args->a * args->x[i] + args->z[i];"),
         "passed", "");
  // Static objects are initialised, after the kernel is confined.
  expect("initialisers",
         std::string(kHead) +
             "#include <vector>\nstatic std::vector<float> ones(3, 1.0f);\n"
             "extern \"C\" int forge_launch(const Args* args, void*) {\n"
             "  for (std::int64_t i = 0; i < args->dims.n; ++i)\n"
             "    args->y[i] = args->a * args->x[i] * ones.at(2) + args->z[i];\n"
             "  return 0;\n}\n",
         "passed", "");
}

TEST_F(VerdictTest, DoesNotCompile) {
  expect("syntax", launch("  return nonsense"), "compile_error", "nonsense");
  expect("no-launch", std::string(kHead) + "int other() { return 0; }\n", "refused",
         "forge_launch");
}

TEST_F(VerdictTest, WrongOutputsAreShownWithIndexAndValues) {
  expect("zeros", launch("  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = 0;"),
         "wrong", "elements of y are wrong");
  expect("last-element",
         launch("  for (std::int64_t i = 0; i + 1 < args->dims.n; ++i)\n"
                "    args->y[i] = args->a * args->x[i] + args->z[i];"),
         "wrong", "1002");
  expect("nothing", launch(""), "wrong", "nan");
}

TEST_F(VerdictTest, SegmentationFaultsAreLocated) {
  expect("null", launch("  *static_cast<volatile int*>(nullptr) = 1;"), "crash", "null pointer");
  expect(
      "past-the-end",
      launch("  for (std::int64_t i = 0; i < args->dims.n + 4096; ++i) args->y[i] = args->x[0];"),
      "crash", "past the end of 'y'");
}

TEST_F(VerdictTest, WritingAnInputIsNamed) {
  expect("write-input", launch("  const_cast<float*>(args->x)[0] = 1;"), "wrong", "'x'");
}

TEST_F(VerdictTest, WritingJustBesideAnOutputIsRefused) {
  expect("beside", after_honest("  if (args->dims.n == 1003) args->y[1003] = 1;"), "refused",
         "outside 'y'");
}

TEST_F(VerdictTest, LoopsForEver) {
  expect("loop", launch("  volatile bool on = true; while (on) {}"), "timeout", "had not returned",
         0.3);
  expect("loop-at-load",
         std::string(kHead) +
             "#include <cstdlib>\n"
             "struct Bad { Bad() { std::abort(); } } bad;\n" +
             kHonest,
         "crash", "static initialisers");
}

TEST_F(VerdictTest, AllocatesWithoutEnd) {
  expect("allocate",
         "#include <vector>\n" + launch("  static std::vector<char*> all;\n"
                                        "  for (;;) {\n"
                                        "    char* p = static_cast<char*>(std::malloc(1 << 20));\n"
                                        "    p[0] = 1;\n"
                                        "    all.push_back(p);\n"
                                        "  }"),
         "crash", "null pointer");
  expect("workspace-without-end",
         std::string(kHead) +
             "extern \"C\" std::size_t forge_workspace(const Dims*) { return 1ull << 40; }\n" +
             kHonest,
         "launch_error", "more than the limit");
}

TEST_F(VerdictTest, PrintingAGigabyteNeitherBlocksNorFillsAnything) {
  expect("print",
         "#include <cstdio>\n" +
             after_honest("  static bool once = true;\n"
                          "  if (once) for (int i = 0; i < (1 << 20); ++i)\n"
                          "    if (std::fwrite(args->x, 1, 1024, stderr) == 0) break;\n"
                          "  once = false;"),
         "passed", "");
}

TEST_F(VerdictTest, EndingTheProcessIsNoSuccess) {
  expect("exit", launch("  _Exit(0);"), "crash", "exit code 0");
  expect("exit-at-load",
         std::string(kHead) + "static const int gone = (_Exit(0), 1);\n" + kHonest +
             "int use() { return gone; }\n",
         "crash", "exit code 0");
  expect("returns-error", launch("  return 7;"), "launch_error", "7");
}

TEST_F(VerdictTest, ForbiddenSystemCallsAreNamed) {
  expect("open-file", "#include <cstdio>\n" + after_honest("  std::fopen(\"/etc/passwd\", \"r\");"),
         "refused", "openat");
  expect("socket", "#include <sys/socket.h>\n" + after_honest("  socket(AF_INET, SOCK_STREAM, 0);"),
         "refused", "socket");
  expect("fork", "#include <unistd.h>\n" + after_honest("  fork();"), "refused", "clone");
  expect("execute-memory",
         "#include <sys/mman.h>\n" + after_honest("  mmap(nullptr, 4096, PROT_READ | PROT_EXEC, "
                                                  "MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"),
         "refused", "mmap");
  expect("kill-parent",
         "#include <signal.h>\n#include <unistd.h>\n" + after_honest("  kill(getppid(), SIGKILL);"),
         "refused", "getppid");
}

// Whether the thread is caught at work or before it began is up to the scheduler: either way the
// kernel does not pass.
TEST_F(VerdictTest, WorkAfterReturningDoesNotPass) {
  const CandidateOutcome outcome =
      judge("late-thread",
            "#include <thread>\n" + launch("  std::thread([a = *args] {\n"
                                           "    for (std::int64_t i = 0; i < a.dims.n; ++i)\n"
                                           "      a.y[i] = a.a * a.x[i] + a.z[i];\n"
                                           "  }).detach();"));
  EXPECT_TRUE(std::holds_alternative<Wrong>(outcome) || std::holds_alternative<Refused>(outcome))
      << explain(outcome);
}

// Nothing of ours is left once a job has ended, whatever its kernel did.
TEST_F(VerdictTest, NoProcessesOrDescriptorsStay) {
  const auto descriptors = [] {
    int count = 0;
    DIR* folder = opendir("/proc/self/fd");
    while (readdir(folder) != nullptr) ++count;
    closedir(folder);
    return count;
  };
  const int before = descriptors();
  judge("left-1", launch("  volatile bool on = true; while (on) {}"), 0.2);
  judge("left-2", std::string(kHead) + kHonest);
  EXPECT_EQ(descriptors(), before);
  EXPECT_EQ(system("test -z \"$(pgrep -P $PPID forge-runner)\""), 0);
}

}  // namespace
}  // namespace forge
