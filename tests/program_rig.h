// The real programs on a small real problem, in a folder of their own, with an eye on every process
// that they start. May know: everything.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run/journal.h"
#include "run/state.h"
#include "sys/process.h"
#include "temporary_directory.h"

namespace forge {

// kShared: of all tests of this build tree, so that not each compiles the oracle again.
enum class CacheKind { kOwn, kShared };

using Environment = std::vector<std::pair<std::string, std::string>>;

class ProgramRig {
 public:
  explicit ProgramRig(CacheKind cache);
  ~ProgramRig();
  ProgramRig(const ProgramRig&) = delete;
  ProgramRig& operator=(const ProgramRig&) = delete;

  Path folder() const { return directory_.path(); }
  Path cache() const { return cache_; }  // what XDG_CACHE_HOME is set to
  Path task() const { return folder() / "saxpy"; }
  Path artifacts() const { return folder() / ".artifacts"; }
  Fs& fs() { return *fs_; }
  void write(const Path& file, const std::string& text);

  // forge with these arguments, in folder().
  ProcessResult forge(std::vector<std::string> arguments, Environment environment = {});
  std::unique_ptr<Child> start(std::vector<std::string> arguments, Environment environment = {});
  Path new_run();

  // Fails the test if the journal is damaged.
  Journal journal(const Path& run);
  std::string journal_text(const Path& run);
  State state(const Path& run);
  // Waits until the journal has that many whole lines; false if the driver ended before.
  bool wait_for_events(const Path& run, std::size_t count, Child& driver);

  // Processes that programs of ours started and that still live, as "forge-worker (123)". Waits a
  // little for those that are dying.
  std::vector<std::string> processes_left();

 private:
  ProcessSpec spec(std::vector<std::string> arguments, Environment environment);
  void make_problem();

  TemporaryDirectory directory_;
  std::unique_ptr<Fs> fs_;
  std::unique_ptr<ProcessRunner> processes_;
  Path cache_;
};

// What a run that ended by itself must look like. Fails the test otherwise.
void expect_whole_and_finished(const Journal& journal);

// Exit code, or -1.
int exit_code(const ProcessResult& result);

// Exit 1 and, after any progress, one line on stderr that begins with "forge" and holds `parts`.
void expect_one_line_error(const ProcessResult& result, const std::vector<std::string>& parts);

void sleep_ms(std::int64_t time);

}  // namespace forge
