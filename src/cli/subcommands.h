// The table of subcommands, sorted by name; each has a file of its own, <name>.cc.
#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "cli/context.h"

namespace forge {

struct Subcommand {
  std::string_view name;
  std::string_view summary;
  // Requires the options that belong to this subcommand. The value is the exit status.
  Result<int> (*run)(const Options& options, Context& context);
};

std::span<const Subcommand> subcommands();
const Subcommand* find_subcommand(std::string_view name);

Result<int> run_doctor(const DoctorOptions& options, Context& context);
Result<int> run_evolve(const EvolveOptions& options, Context& context);
Result<int> run_gc(const GcOptions& options, Context& context);
Result<int> run_judge(const JudgeOptions& options, Context& context);
Result<int> run_mcp(const McpOptions& options, Context& context);
Result<int> run_new(const NewOptions& options, Context& context);
Result<int> run_report(const ReportOptions& options, Context& context);
Result<int> run_run(const RunOptions& options, Context& context);
Result<int> run_show(const ShowOptions& options, Context& context);
Result<int> run_status(const StatusOptions& options, Context& context);
Result<int> run_tune(const TuneOptions& options, Context& context);
Result<int> run_turn(const TurnOptions& options, Context& context);

// Parses, dispatches and prints an error as one line on `context.err`. Returns the exit status.
int run_forge(std::span<const std::string> arguments, Context& context);

}  // namespace forge
