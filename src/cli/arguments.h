// The command line as typed options. May know: base, sys/fs.h (for Path). CLI11 stays inside
// arguments.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "sys/fs.h"

namespace forge {

enum class OutputFormat { kText, kJson };
enum class NewMode { kCreate, kDryRun };
enum class GcMode { kClean, kDryRun };
enum class GcCache { kKeep, kEmpty };
enum class StatusMode { kOnce, kWatch };

struct DoctorOptions {};
struct EvolveOptions {
  Path task;
  std::optional<double> step;
  std::optional<int> generations;
  Path agents;  // empty: agents.toml here, if there is one
  OutputFormat format = OutputFormat::kText;
};
struct GcOptions {
  std::string run;  // empty: all runs
  GcMode mode = GcMode::kClean;
  GcCache cache = GcCache::kKeep;
};
enum class JudgeDetail { kVerdict, kExplainPlan };
struct JudgeOptions {
  Path task;
  Path kernel;
  OutputFormat format = OutputFormat::kText;
  JudgeDetail detail = JudgeDetail::kVerdict;
};
struct McpOptions {
  Path view;  // of a turn
};
struct NewOptions {
  Path task;
  NewMode mode = NewMode::kCreate;
  Path agents;  // empty: agents.toml here, if there is one
};
struct ReportOptions {
  std::string run;  // a path or a unique prefix of a run's name
};
struct RunOptions {
  std::string run;
};
struct ShowOptions {
  std::string run;
};
struct StatusOptions {
  StatusMode mode = StatusMode::kOnce;
  OutputFormat format = OutputFormat::kText;
};
enum class TuneStrategy { kModel, kExhaustive };
enum class EarlierRuns { kUse, kIgnore };
struct TuneOptions {
  Path task;
  Path kernel;           // empty: the problem's start kernel
  int measurements = 0;  // 0: as many as the search wants
  double minutes = 0;    // 0: no limit
  std::uint64_t seed = 1;
  TuneStrategy strategy = TuneStrategy::kModel;
  EarlierRuns earlier = EarlierRuns::kUse;
  Path out;  // empty: a folder for this kernel under the runs' folder
  OutputFormat format = OutputFormat::kText;
};
enum class TurnAction { kList, kShow, kDone, kPass, kFail };
struct TurnOptions {
  TurnAction action = TurnAction::kList;
  std::string run;  // empty: the only one with a turn that waits
  std::string note;
};
struct VersionOptions {};

// Help was asked for; nothing is run.
struct HelpOptions {
  std::string text;
};

using Options = std::variant<DoctorOptions, EvolveOptions, GcOptions, HelpOptions, JudgeOptions,
                             McpOptions, NewOptions, ReportOptions, RunOptions, ShowOptions,
                             StatusOptions, TuneOptions, TurnOptions, VersionOptions>;

struct Invocation {
  std::string subcommand;  // empty for --help and --version of forge itself
  Options options;
};

struct ArgumentError {
  std::string subcommand;  // empty if it was not recognised
  Error error;
};

// `arguments` without the program's name. An unknown name is refused with the nearest known one.
std::variant<Invocation, ArgumentError> parse_arguments(std::span<const std::string> arguments);

}  // namespace forge
