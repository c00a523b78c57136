#include "cli/subcommands.h"

#include <algorithm>
#include <array>

#include "cli/exit_code.h"
#include "cli/version.h"

namespace forge {
namespace {

template <typename T, Result<int> (*Run)(const T&, Context&)>
Result<int> call(const Options& options, Context& context) {
  return Run(std::get<T>(options), context);
}

constexpr std::array kSubcommands = {
    Subcommand{"doctor", "check what this machine lacks, with the command that fixes it",
               call<DoctorOptions, run_doctor>},
    Subcommand{"evolve", "make each accepted kernel the next reference, until gains end",
               call<EvolveOptions, run_evolve>},
    Subcommand{"gc", "remove what finished jobs left behind and no one reads again",
               call<GcOptions, run_gc>},
    Subcommand{"judge", "judge and time one kernel file against a problem, with no run",
               call<JudgeOptions, run_judge>},
    Subcommand{"mcp", "offer the tools of a turn to a program that speaks MCP, over stdio",
               call<McpOptions, run_mcp>},
    Subcommand{"new", "make a run of a problem, or print its plan (--dry-run)",
               call<NewOptions, run_new>},
    Subcommand{"report", "render a run's report again and print it",
               call<ReportOptions, run_report>},
    Subcommand{"run", "do a run, or go on with one that was interrupted",
               call<RunOptions, run_run>},
    Subcommand{"show", "show one run: stages, milestones, rounds, best",
               call<ShowOptions, run_show>},
    Subcommand{"status", "list all runs, one line each, once or live (--watch)",
               call<StatusOptions, run_status>},
    Subcommand{"tune", "search the values that a kernel declares, with no run",
               call<TuneOptions, run_tune>},
    Subcommand{"turn", "list, show and answer turns that wait for a person or a program",
               call<TurnOptions, run_turn>},
};

int print_error(std::string_view subcommand, const Error& error, Context& context) {
  context.out.flush();
  context.err << "forge";
  if (!subcommand.empty()) context.err << ' ' << subcommand;
  context.err << ": " << error.message() << '\n';
  return error.kind == ErrorKind::kInterrupted ? kExitInterrupted : kExitError;
}

int dispatch(const Invocation& invocation, Context& context) {
  if (const auto* help = std::get_if<HelpOptions>(&invocation.options)) {
    context.out << help->text;
    return kExitOk;
  }
  if (std::holds_alternative<VersionOptions>(invocation.options)) {
    context.out << version_text();
    return kExitOk;
  }
  const Subcommand* subcommand = find_subcommand(invocation.subcommand);
  FORGE_CHECK(subcommand != nullptr);
  const Result<int> status = subcommand->run(invocation.options, context);
  return status ? *status : print_error(subcommand->name, status.error(), context);
}

}  // namespace

std::span<const Subcommand> subcommands() { return kSubcommands; }

const Subcommand* find_subcommand(std::string_view name) {
  const auto* found = std::find_if(kSubcommands.begin(), kSubcommands.end(),
                                   [&](const Subcommand& each) { return each.name == name; });
  return found == kSubcommands.end() ? nullptr : found;
}

int run_forge(std::span<const std::string> arguments, Context& context) {
  const auto parsed = parse_arguments(arguments);
  if (const auto* bad = std::get_if<ArgumentError>(&parsed)) {
    return print_error(bad->subcommand, bad->error, context);
  }
  return dispatch(std::get<Invocation>(parsed), context);
}

}  // namespace forge
