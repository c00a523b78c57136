#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/text.h"
#include "cli/subcommands.h"

namespace forge {
namespace {

// Declares a subcommand's arguments and returns what reads them after parsing.
using Collect = std::function<Options()>;
using Declare = Collect (*)(CLI::App& app);

Collect declare_nothing_doctor(CLI::App&) {
  return [] { return DoctorOptions{}; };
}

// CLI11's own range lets NaN pass.
CLI::Validator between(double low, double high) {
  const auto judge = [low, high](const std::string& text) -> std::string {
    const std::optional<double> value = parse_number(text);
    if (value && *value >= low && *value <= high) return "";
    return fmt::format("'{}' is no number from {:.15g} to {:.15g}", printable(text), low, high);
  };
  return CLI::Validator(judge, fmt::format("{:.15g} - {:.15g}", low, high), "between");
}

constexpr const char* kRunHelp = "the run: its directory, or a unique prefix of its name";

template <typename RunNaming>
Collect declare_run_argument(CLI::App& app) {
  auto options = std::make_shared<RunNaming>();
  app.add_option("RUN", options->run, kRunHelp)->required();
  return [options] { return *options; };
}

OutputFormat format_of(bool json) { return json ? OutputFormat::kJson : OutputFormat::kText; }

constexpr const char* kAgentsHelp = "who plays which role (agents.toml, else the builtin agent)";

Collect declare_evolve(CLI::App& app) {
  auto agents = std::make_shared<std::string>();
  app.add_option("--agents", *agents, kAgentsHelp);
  auto options = std::make_shared<EvolveOptions>();
  auto json = std::make_shared<bool>(false);
  auto task = std::make_shared<std::string>();
  app.add_option("TASK", *task, "the problem's folder, e.g. tasks/rmsnorm_cpu")->required();
  app.add_option("--step", options->step, "goal of every generation after the first (1.05)")
      ->check(between(1, 100));
  app.add_option("--generations", options->generations, "at most so many (no cap)")
      ->check(between(1, 1000));
  app.add_flag("--json", *json, "print one JSON object at the end instead of text");
  return [options, json, task, agents] {
    options->task = *task;
    options->agents = *agents;
    options->format = format_of(*json);
    return *options;
  };
}

Collect declare_gc(CLI::App& app) {
  struct Raw {
    std::string run;
    bool dry_run = false;
    bool cache = false;
  };
  auto raw = std::make_shared<Raw>();
  app.add_option("RUN", raw->run, "one run only: its directory, or a unique prefix of its name");
  app.add_flag("--dry-run", raw->dry_run, "only say what would be removed");
  app.add_flag("--cache", raw->cache, "also empty the cache of artefacts and oracle cases");
  return [raw] {
    return GcOptions{raw->run, raw->dry_run ? GcMode::kDryRun : GcMode::kClean,
                     raw->cache ? GcCache::kEmpty : GcCache::kKeep};
  };
}

Collect declare_judge(CLI::App& app) {
  struct Raw {
    std::string task;
    std::string kernel;
    bool json = false;
    bool explain = false;
  };
  auto raw = std::make_shared<Raw>();
  app.add_option("TASK", raw->task, "the problem's folder, e.g. tasks/rmsnorm_cpu")->required();
  app.add_option("KERNEL", raw->kernel, "the kernel's source file")->required();
  app.add_flag("--json", raw->json, "print one JSON object instead of text");
  app.add_flag("--explain", raw->explain, "show a CUDA kernel's launch plan");
  return [raw] {
    return JudgeOptions{raw->task, raw->kernel, format_of(raw->json),
                        raw->explain ? JudgeDetail::kExplainPlan : JudgeDetail::kVerdict};
  };
}

Collect declare_mcp(CLI::App& app) {
  auto view = std::make_shared<std::string>(".");
  app.add_option("VIEW", *view, "the folder that a turn is given (this one)");
  return [view] { return McpOptions{*view}; };
}

Collect declare_new(CLI::App& app) {
  struct Raw {
    std::string task;
    std::string agents;
    bool dry_run = false;
  };
  auto raw = std::make_shared<Raw>();
  app.add_option("TASK", raw->task, "the problem's folder, e.g. tasks/rmsnorm_cpu")->required();
  app.add_option("--agents", raw->agents, kAgentsHelp);
  app.add_flag("--dry-run", raw->dry_run, "check everything, print the plan, write nothing");
  return [raw] {
    return NewOptions{raw->task, raw->dry_run ? NewMode::kDryRun : NewMode::kCreate, raw->agents};
  };
}

Collect declare_status(CLI::App& app) {
  struct Raw {
    bool json = false;
    bool watch = false;
  };
  auto raw = std::make_shared<Raw>();
  auto* json = app.add_flag("--json", raw->json, "print one JSON array instead of text");
  app.add_flag("--watch", raw->watch, "go on showing what happens, until Ctrl-C")->excludes(json);
  return [raw] {
    return StatusOptions{raw->watch ? StatusMode::kWatch : StatusMode::kOnce, format_of(raw->json)};
  };
}

Collect declare_tune(CLI::App& app) {
  struct Raw {
    TuneOptions options;
    std::string task;
    std::string kernel;
    std::string out;
    bool exhaustive = false;
    bool fresh = false;
    bool json = false;
  };
  auto raw = std::make_shared<Raw>();
  app.add_option("TASK", raw->task, "the problem's folder, e.g. tasks/rmsnorm_cpu")->required();
  app.add_option("KERNEL", raw->kernel,
                 "the kernel's source file; else the problem's start kernel");
  app.add_option("--budget-measurements", raw->options.measurements,
                 "stop after so many trials of single configurations")
      ->check(between(1, 1'000'000));
  app.add_option("--minutes", raw->options.minutes, "stop searching after so many minutes")
      ->check(between(0.001, 1'000'000));
  app.add_option("--seed", raw->options.seed, "of all choices at random; 1 unless given");
  app.add_flag("--exhaustive", raw->exhaustive, "measure every configuration instead of searching");
  app.add_flag("--fresh", raw->fresh, "forget what was measured before on this machine");
  app.add_option("--out", raw->out, "folder for the best kernel and the table of measurements");
  app.add_flag("--json", raw->json, "print one JSON object instead of text");
  return [raw] {
    TuneOptions options = raw->options;
    options.task = raw->task;
    options.kernel = raw->kernel;
    options.out = raw->out;
    if (raw->exhaustive) options.strategy = TuneStrategy::kExhaustive;
    if (raw->fresh) options.earlier = EarlierRuns::kIgnore;
    options.format = format_of(raw->json);
    return options;
  };
}

Collect declare_turn(CLI::App& app) {
  static const std::map<std::string, TurnAction> kActions = {{"list", TurnAction::kList},
                                                             {"show", TurnAction::kShow},
                                                             {"done", TurnAction::kDone},
                                                             {"pass", TurnAction::kPass},
                                                             {"fail", TurnAction::kFail}};
  auto options = std::make_shared<TurnOptions>();
  app.add_option("ACTION", options->action,
                 "list: turns that wait; show: what is asked; done: the work lies in the turn's "
                 "folder; pass: there is nothing more to try; fail: it can't be done")
      ->required()
      ->transform(CLI::CheckedTransformer(kActions).description("list, show, done, pass, fail"));
  app.add_option("RUN", options->run,
                 "the run, or a unique prefix of its name; may be left out if one turn waits");
  app.add_option("--note", options->note, "what was done, or why not, in a line");
  return [options] { return *options; };
}

struct Declaration {
  std::string_view name;
  Declare declare;
};

constexpr Declaration kDeclarations[] = {
    {"doctor", declare_nothing_doctor},
    {"evolve", declare_evolve},
    {"gc", declare_gc},
    {"judge", declare_judge},
    {"mcp", declare_mcp},
    {"new", declare_new},
    {"report", declare_run_argument<ReportOptions>},
    {"run", declare_run_argument<RunOptions>},
    {"show", declare_run_argument<ShowOptions>},
    {"status", declare_status},
    {"tune", declare_tune},
    {"turn", declare_turn},
};

Declare declaration_of(std::string_view name) {
  const auto* found = std::find_if(std::begin(kDeclarations), std::end(kDeclarations),
                                   [&](const Declaration& each) { return each.name == name; });
  FORGE_CHECK(found != std::end(kDeclarations));
  return found->declare;
}

std::string general_help() {
  std::string text =
      "forge searches for kernels faster than a reference, under a judge that can't be fooled.\n\n"
      "Usage: forge SUBCOMMAND ...\n\nSubcommands:\n";
  for (const Subcommand& each : subcommands()) {
    text += fmt::format("  {:<9}{}\n", each.name, each.summary);
  }
  text +=
      "\nOptions:\n"
      "  -h, --help   this text; forge SUBCOMMAND --help for one subcommand\n"
      "  --version    version, commit and compiler\n";
  return text;
}

std::string suggestion(std::string_view given, std::span<const std::string> known,
                       std::string_view otherwise) {
  const auto nearest = nearest_name(given, known);
  return nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string(otherwise);
}

ArgumentError unknown_subcommand(const std::string& given) {
  std::vector<std::string> known;
  for (const Subcommand& each : subcommands()) known.emplace_back(each.name);
  return {"",
          {ErrorKind::kInvalidInput, "cannot run", fmt::format("'{}'", given),
           given.starts_with('-') ? "no such option" : "no such subcommand",
           suggestion(given, known, "run forge --help for the list")}};
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// CLI11's own message is one clause: "TASK is required", "The following argument was not …".
Error describe(const CLI::App& app, std::string_view name, std::span<const std::string> arguments,
               const CLI::ParseError& error) {
  const std::vector<std::string> known = option_names(app);
  const std::string see_help = fmt::format("run forge {} --help for its arguments", name);
  for (const std::string& given : arguments) {
    const std::string bare = given.substr(0, given.find('='));
    if (!given.starts_with('-') || std::count(known.begin(), known.end(), bare) > 0) continue;
    return {ErrorKind::kInvalidInput, "cannot take", fmt::format("'{}'", given),
            fmt::format("forge {} has no such option", name), suggestion(bare, known, see_help)};
  }
  return {ErrorKind::kInvalidInput, "cannot read", "its arguments", error.what(), see_help};
}

std::variant<Invocation, ArgumentError> parse_subcommand(const Subcommand& subcommand,
                                                         std::span<const std::string> arguments) {
  const std::string name(subcommand.name);
  CLI::App app(std::string(subcommand.summary), "forge " + name);
  const Collect collect = declaration_of(name)(app);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Invocation{name, HelpOptions{app.help()}};
  } catch (const CLI::ParseError& error) {
    return ArgumentError{name, describe(app, name, arguments, error)};
  }
  return Invocation{name, collect()};
}

}  // namespace

std::variant<Invocation, ArgumentError> parse_arguments(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    return ArgumentError{"",
                         {ErrorKind::kInvalidInput, "cannot run", "nothing",
                          "no subcommand was given", "run forge --help for the list"}};
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    return Invocation{"", HelpOptions{general_help()}};
  }
  if (first == "--version" || first == "version") return Invocation{"", VersionOptions{}};
  const Subcommand* subcommand = find_subcommand(first);
  if (subcommand == nullptr) return unknown_subcommand(first);
  return parse_subcommand(*subcommand, arguments.subspan(1));
}

}  // namespace forge
