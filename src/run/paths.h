// The one place that knows where things lie inside a run's directory. May know: base, sys/fs.h.
// Format: docs/formats/run-directory.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

inline constexpr std::string_view kRunsFolder = ".artifacts";
// The file that holds a candidate, in the operator tree and in best/.
inline constexpr std::string_view kKernelFile = "kernel.cpp";
inline constexpr std::string_view kKernelHeaderFile = "forge_args.h";
// Of a turn: its prompt and brief, in its record and in what the agent sees; the folder that the
// agent may write, and there what an agent that is a program says of its turn.
inline constexpr std::string_view kPromptFile = "prompt.md";
inline constexpr std::string_view kBriefFile = "brief.json";
inline constexpr std::string_view kWorkFolder = "work";
inline constexpr std::string_view kNoteFile = "note.txt";

// 7 -> "0007". Turns and jobs are numbered from 1.
std::string numbered(int number);
std::optional<int> parse_numbered(std::string_view text);

// "<problem>_<id>"; the id is the part behind the last underscore.
struct RunName {
  std::string problem;
  std::string id;
  bool operator==(const RunName&) const = default;
};
std::string format_run_name(const RunName& name);
std::optional<RunName> parse_run_name(std::string_view text);
// An id of four characters without look-alikes.
std::string run_id(std::uint64_t entropy);

class RunPaths {
 public:
  explicit RunPaths(Path root) : root_(std::move(root)) {}

  const Path& root() const { return root_; }
  // The folder that the run was made in: it lies in <project>/.artifacts/.
  Path project() const { return root_.parent_path().parent_path(); }
  Path journal() const { return root_ / "journal.jsonl"; }
  Path secrets() const { return root_ / "secrets.json"; }
  Path summary() const { return root_ / "status.json"; }
  Path lock() const { return root_ / "driver.lock"; }
  Path problem() const { return root_ / "problem"; }
  Path sealed() const { return root_ / "sealed"; }
  Path tree() const { return root_ / "tree"; }
  Path tree_kernel() const { return tree() / kKernelFile; }
  Path best() const { return root_ / "best"; }
  // Which backend and model plays which role.
  Path agents() const { return root_ / "agents.toml"; }
  Path report() const { return root_ / "report.md"; }

  Path milestones(int version) const;
  Path milestone(int version, std::string_view id) const;

  Path turns() const { return root_ / "turns"; }
  Path turn(int number) const { return turns() / numbered(number); }
  Path turn_prompt(int number) const { return turn(number) / kPromptFile; }
  Path turn_brief(int number) const { return turn(number) / kBriefFile; }
  Path turn_outcome(int number) const { return turn(number) / "outcome.json"; }
  Path turn_transcript(int number) const { return turn(number) / "transcript.jsonl"; }
  // All that the agent sees of the run in that turn, and below it the only place where it may
  // write.
  Path turn_view(int number) const { return turn(number) / "view"; }
  Path turn_workspace(int number) const { return turn_view(number) / kWorkFolder; }

  Path job(int number) const { return root_ / "jobs" / numbered(number); }
  Path job_bundle(int number) const { return job(number) / "bundle"; }
  Path job_result(int number) const { return job(number) / "result"; }
  // The candidate's source as that job judged it.
  Path job_candidate(int number) const;

 private:
  Path root_;
};

// The runs in `folder`: each directory whose name is a run's and that holds a journal, sorted.
Result<std::vector<Path>> find_runs(FileReader& fs, const Path& folder);

}  // namespace forge
