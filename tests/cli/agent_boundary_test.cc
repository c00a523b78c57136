// A program in the place of a coding agent tries, from inside a turn, to reach everything that it
// must not see and to change what it must not change, under each sandbox that works here. Each
// attempt has a name; the same program without a sandbox shows that the attempts are real.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "agent/command.h"
#include "sys/clock.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

// $1 is the run, $2 another run, $3 the process that drives the turn. Each attempt prints SECRET,
// which stands in everything that is denied, if it succeeds.
constexpr const char* kAttacks = R"sh(
run=$1 other=$2 driver=$3
try() {
  name=$1; shift
  if "$@" 2>/dev/null | grep -q SECRET; then echo "REACHED $name"; else echo "held $name"; fi
}
# Pipes that others hold open would be read for ever.
shell() { name=$1; try "$name" timeout 2 sh -c "$2" sh "$run" "$other" "$driver"; }
shell 'the reference by its path'        'cat "$1/problem/reference/ref.cpp"'
shell 'the hidden shapes'                'cat "$1/problem/hidden_shapes.json"'
shell 'the seeds'                        'cat "$1/secrets.json"'
shell 'sealed artefacts'                 'cat "$1/sealed/key"'
shell 'the journal'                      'cat "$1/journal.jsonl"'
shell 'another run'                      'cat "$2/secrets.json"'
shell 'another turn'                     'cat "$1/turns/0001/prompt.md"'
shell 'local.env of the project'         'cat "$1/../../local.env"'
shell 'up from the workspace'            'cd work; cat ../../../../secrets.json'
shell 'a listing of the run'             'ls -R "$1"'
shell 'a symbolic link'                  'ln -s "$1/secrets.json" work/link; cat work/link'
shell 'a link to a folder'               'ln -s "$1" work/folder; cat work/folder/secrets.json'
shell 'a hard link'                      'ln "$1/secrets.json" work/hard; cat work/hard'
shell 'objects of the operator tree'     'cat "$1/tree/.git/objects/aa/bb"'
shell 'reflog of the operator tree'      'cat "$1/tree/.git/logs/HEAD"'
shell 'git in the operator tree'         'git -C "$1/tree" log; cat "$1/tree/.git/config"'
shell 'a worktree of the operator tree'  'echo "gitdir: $1/tree/.git" > work/.git; cd work; git config -f "$1/tree/.git/config" -l'
shell 'the compiler, by #include'        'echo "#include \"$1/problem/reference/ref.cpp\"" | g++ -E -x c++ -'
shell 'the compiler, by its diagnostics' 'echo "#include \"$1/secrets.json\"" | g++ -x c++ - -o work/a 2>&1'
shell 'the assembler, by .incbin'        'echo ".incbin \"$1/secrets.json\"" | as - -o work/a.o; cat work/a.o'
shell 'the environment'                  'env'
shell 'the environment of the driver'    'cat /proc/$3/environ'
shell 'files that the driver has open'   'cat /proc/$3/fd/*'
shell 'the root of the driver'           'cat "/proc/$3/root$1/secrets.json"'
shell 'the folder of the driver'         'cat /proc/$3/cwd/secrets.json'
shell 'the root of the first process'    'cat "/proc/1/root$1/secrets.json"'
shell 'its own root, again'              'cat "/proc/self/root$1/secrets.json"'
shell 'descriptors left open'            'for i in 3 4 5 6 7 8 9; do cat /proc/self/fd/$i; cat <&$i; done'
shell 'a namespace of its own'           'unshare -Urm sh -c "cat $1/secrets.json"'
shell 'a mount'                          'mkdir work/m; mount --bind "$1" work/m; cat work/m/secrets.json'
shell 'the disk'                         'for d in /dev/vd* /dev/sd* /dev/nvme*; do head -c 1000000 $d; done'
shell 'memory of the driver'             'cat /proc/$3/maps; head -c 100 /proc/$3/mem'
# What would be changed; looked at from outside.
sh -c 'echo tampered > task/check/oracle.py'      2>/dev/null
sh -c 'echo tampered >> milestones/M0.toml'       2>/dev/null
sh -c 'echo tampered >> prompt.md'                2>/dev/null
sh -c 'rm -rf task; mv task away; mv work away'   2>/dev/null
sh -c 'echo tampered > new_file'                  2>/dev/null
sh -c 'echo tampered >> "$1/journal.jsonl"'       sh "$run" 2>/dev/null
sh -c 'echo tampered >> "$1/problem/check/oracle.py"' sh "$run" 2>/dev/null
sh -c 'echo tampered > "$1/tree/.git/hooks/post-commit"' sh "$run" 2>/dev/null
sh -c 'chmod 777 "$1"; touch "$1/turns/0002/answer.json"' sh "$run" 2>/dev/null
echo tampered > "$HOME/.agent" 2>/dev/null
# What it may.
grep -q computed task/description.md && echo "may read the task"
echo "int done;" > work/kernel.cpp && echo "may write the kernel"
echo 'int main() {}' | g++ -x c++ - -o work/program && work/program && echo "may compile and run"
echo "all is tried" > work/note.txt
)sh";

struct World {
  TemporaryDirectory directory;
  Path project = directory.path() / "project";
  Path run = project / ".artifacts" / "x_aaaa";
  Path other = project / ".artifacts" / "x_bbbb";
  std::unique_ptr<Fs> fs = make_real_fs();
  std::unique_ptr<ProcessRunner> processes = make_real_process_runner();
  std::unique_ptr<Clock> clock = make_real_clock();

  World() {
    for (const char* file :
         {"problem/reference/ref.cpp", "problem/hidden_shapes.json", "secrets.json", "sealed/key",
          "journal.jsonl", "turns/0001/prompt.md", "tree/.git/objects/aa/bb", "tree/.git/logs/HEAD",
          "tree/.git/config", "SECRET"}) {
      write(run / file, "[core]\n\tx = SECRET\n");
    }
    write(run / "tree/.git/HEAD", "ref: refs/heads/main\n");
    write(run / "problem/check/oracle.py", "the oracle\n");
    write(run / "tree/.git/hooks/keep", "");
    write(other / "secrets.json", "SECRET\n");
    write(project / "local.env", "KEY=SECRET\n");
    const Path view = run / "turns" / "0002" / "view";
    write(view / "task/description.md", "what is computed\n");
    write(view / "task/check/oracle.py", "the oracle\n");
    write(view / "milestones/M0.toml", "M0\n");
    write(view / "work/kernel.cpp", "int before;\n");
  }
  void write(const Path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  // What the program printed, as the transcript has it.
  std::string attack(SandboxChoice choice) {
    AgentSettings settings;
    settings.backend = "command";
    settings.minutes = 5;
    settings.command.command = {
        "sh", "-c", kAttacks, "sh", run.string(), other.string(), std::to_string(getpid())};
    settings.command.sandbox = choice;
    const auto outcome = take_turn(settings);
    if (!outcome) return outcome.error().message();
    return words_of(*outcome) + "\n" + *fs->read(record() / "transcript.jsonl");
  }

  Result<TurnOutcome> take_turn(const AgentSettings& settings) {
    FORGE_TRY(
        const auto backend,
        make_command_backend(
            settings, {*fs, *processes, [](const std::string& name) -> std::optional<std::string> {
                         return name == "HOME" ? std::optional<std::string>("/root") : std::nullopt;
                       }}));
    Redactor redactor;
    FORGE_TRY(const auto transcript,
              FileTranscript::open(*fs, record() / "transcript.jsonl", *clock, redactor));
    Turn turn;
    turn.number = 2;
    turn.prompt = "the task";
    turn.record = record();
    turn.view = record() / "view";
    turn.workspace = record() / "view" / "work";
    turn.denied = {run, project / "local.env"};
    turn.transcript = transcript.get();
    return backend->take_turn(turn);
  }

  Path record() const { return run / "turns" / "0002"; }
};

bool is_missing(SandboxChoice choice) { return !find_sandbox(choice, *make_real_process_runner()); }

// How many processes have that in their command line; those that were killed may take a moment.
std::string left_of_it(World& world, const std::string& pattern) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c",
               "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c '" + pattern + "'"};
  std::string count;
  for (int looks = 0; looks < 50 && count != "0\n"; ++looks) {
    if (looks > 0) usleep(100'000);
    count = world.processes->run(spec)->standard_output;
  }
  return count;
}

class Boundary : public testing::TestWithParam<SandboxChoice> {};

INSTANTIATE_TEST_SUITE_P(Sandboxes, Boundary,
                         testing::Values(SandboxChoice::kBubblewrap, SandboxChoice::kLandlock),
                         [](const auto& each) {
                           return each.param == SandboxChoice::kBubblewrap ? "Bubblewrap"
                                                                           : "Landlock";
                         });

TEST_P(Boundary, NoAttemptReachesWhatIsDeniedAndNothingIsTamperedWith) {
  if (is_missing(GetParam())) GTEST_SKIP() << "this machine has no such sandbox";
  setenv("FORGE_TEST_KEY", "SECRET", 1);
  World world;
  const std::string said = world.attack(GetParam());
  unsetenv("FORGE_TEST_KEY");
  EXPECT_THAT(said, HasSubstr("all is tried")) << said;
  std::istringstream lines(said);
  int held = 0;
  for (std::string line; std::getline(lines, line);) {
    held += line.find("\"held ") != std::string::npos ? 1 : 0;
    EXPECT_THAT(line, Not(HasSubstr("REACHED")));
  }
  EXPECT_EQ(held, 32) << said;
  for (const char* may : {"may read the task", "may write the kernel", "may compile and run"}) {
    EXPECT_THAT(said, HasSubstr(may));
  }
  const Path view = world.run / "turns" / "0002" / "view";
  EXPECT_EQ(*world.fs->read(view / "task/check/oracle.py"), "the oracle\n");
  EXPECT_EQ(*world.fs->read(view / "milestones/M0.toml"), "M0\n");
  EXPECT_EQ(*world.fs->read(world.run / "problem/check/oracle.py"), "the oracle\n");
  EXPECT_THAT(*world.fs->read(world.run / "journal.jsonl"), Not(HasSubstr("tampered")));
  EXPECT_THAT(*world.fs->read(view / "prompt.md"), Not(HasSubstr("tampered")));
  EXPECT_FALSE(world.fs->exists(view / "new_file"));
  EXPECT_FALSE(world.fs->exists(world.run / "tree/.git/hooks/post-commit"));
  EXPECT_FALSE(world.fs->exists(world.run / "turns/0002/answer.json"));
  EXPECT_FALSE(world.fs->exists("/root/.agent"));
  EXPECT_EQ(*world.fs->read(view / "work/kernel.cpp"), "int done;\n");
}

// A daemon that leaves its session would outlive a kill of the group.
TEST_P(Boundary, TheWholeTreeEndsWithTheTurn) {
  if (is_missing(GetParam())) GTEST_SKIP() << "this machine has no such sandbox";
  World world;
  AgentSettings settings;
  settings.backend = "command";
  settings.minutes = 1;
  settings.command.sandbox = GetParam();
  settings.command.command = {
      "sh", "-c",
      "(setsid sleep 987654 & sleep 987654 & nohup sleep 987654 &) >/dev/null 2>&1; echo begun"};
  const auto outcome = world.take_turn(settings);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(left_of_it(world, "sleep 98765[4]"), "0\n");
}

TEST_P(Boundary, AnAgentThatTakesTooMuchIsEnded) {
  if (is_missing(GetParam())) GTEST_SKIP() << "this machine has no such sandbox";
  World world;
  AgentSettings settings;
  settings.backend = "command";
  settings.minutes = 1;
  settings.command.sandbox = GetParam();
  settings.command.output_mib = 1;
  settings.command.command = {"sh", "-c", "yes 2718281828 & exec yes 2718281828"};
  const auto outcome = world.take_turn(settings);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(words_of(*outcome), HasSubstr("more than 1 MiB"));
  EXPECT_EQ(left_of_it(world, "yes 271828182[8]"), "0\n");
}

// The control: without a sandbox the same attempts succeed, but for those that take rights that
// nobody has here.
TEST(BoundaryControl, WithoutASandboxTheAttemptsReachWhatTheyAreAfter) {
  World world;
  ProcessSpec spec;
  const Path view = world.run / "turns" / "0002" / "view";
  spec.argv = {"sh",
               "-c",
               kAttacks,
               "sh",
               world.run.string(),
               world.other.string(),
               std::to_string(getpid())};
  spec.working_directory = view;
  spec.environment = {{"FORGE_TEST_KEY", "SECRET"}, {"HOME", view.string()}};
  const auto result = world.processes->run(spec);
  ASSERT_TRUE(result);
  for (const char* name :
       {"the reference by its path", "the hidden shapes", "the seeds", "another run",
        "up from the workspace", "a symbolic link", "a hard link", "reflog of the operator tree",
        "the compiler, by #include", "the assembler, by .incbin", "the environment",
        "the root of the driver", "a listing of the run"}) {
    EXPECT_THAT(result->standard_output, HasSubstr(std::string("REACHED ") + name));
  }
}

}  // namespace
}  // namespace forge
