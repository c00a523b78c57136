#include "evolve/chain_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/paths.h"

namespace forge {
namespace {

constexpr std::string_view kPlateau =
    "A plateau is an estimate, not a proof: it says that this agent, with this budget and on this "
    "machine, found nothing better than the noise could explain. It does not say that there is "
    "nothing.";

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string outcome_words(const GenerationEnded& ended) {
  if (!ended.confirmed) return "no confirmed best";
  // In per cent too: ratios are rounded to a hundredth, which is as wide as some noise floors.
  const std::string gained = percent(ended.confirmed->ratio.point - 1);
  return is_gain(ended) ? fmt::format("gain of {}: the next reference", gained)
                        : fmt::format("no gain beyond the noise floor ({})", gained);
}

// Of two files. git says 1 for "they differ".
std::string difference(const Path& from, const Path& to, ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {"git",           "diff",        "--no-index", "--no-color",
               "--no-ext-diff", from.string(), to.string()};
  spec.environment = {
      {"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"LC_ALL", "C"}};
  spec.limits.wall = std::chrono::seconds(60);
  const auto result = processes.run(spec);
  if (!result) return result.error().message();
  const auto* exited = std::get_if<Exited>(&result->end);
  if (exited == nullptr || exited->code > 1) return printable(result->standard_error);
  // What stands before the first hunk names files of this machine.
  const std::string& text = result->standard_output;
  const std::size_t hunk = text.find("\n@@");
  return hunk == std::string::npos ? "no difference\n" : printable(text.substr(hunk + 1));
}

std::string links_table(const ChainState& state) {
  std::string out =
      "| generation | problem | opponent | gain, reference over best | noise floor | candidates | "
      "outcome |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Generation& each : state.generations) {
    if (!each.ended) continue;
    const GenerationEnded& ended = *each.ended;
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", ended.generation,
                       each.opened.problem, printable(ended.opponent),
                       ended.confirmed ? ratio_text(ended.confirmed->ratio) : "-",
                       percent(ended.noise_floor), ended.candidates, outcome_words(ended));
  }
  return out;
}

std::string cumulative_text(const ChainState& state) {
  if (!state.cumulative) {
    return "No generation gained, so there is nothing to compare with the original references.\n";
  }
  const CumulativeMeasured& measured = *state.cumulative;
  if (!measured.failure.empty()) {
    return fmt::format("It could not be measured: {}\n", printable(measured.failure));
  }
  std::string out = fmt::format(
      "Against {}, all side by side in one job (not the links multiplied):\n\n"
      "| generation | original reference over its best | trials |\n| --- | --- | --- |\n",
      printable(measured.opponent));
  for (const CumulativeRatio& each : measured.ratios) {
    out += fmt::format("| {} | {} | {} |\n", each.generation, ratio_text(each.measured.ratio),
                       each.measured.trials);
  }
  return out;
}

Json to_json(const MeasuredRatio& measured) {
  return Json::object()
      .set("point", measured.ratio.point)
      .set("low", measured.ratio.low)
      .set("high", measured.ratio.high)
      .set("trials", measured.trials);
}

}  // namespace

Result<ChainReport> read_chain_report(const ChainState& state, const Path& artifacts,
                                      FileReader& fs, ProcessRunner& processes) {
  ChainReport report{state, {}};
  Path before;
  for (const int generation : gains(state)) {
    const auto& opened = state.generations[static_cast<std::size_t>(generation)].opened;
    const RunPaths run(artifacts / opened.run);
    const Path kernel = run.best() / kKernelFile;
    std::string from = "the generation before";
    if (before.empty()) {
      before = run.problem() / "start" / kKernelFile;
      from = "the start kernel";
    }
    if (fs.exists(before)) {
      report.changes.push_back({generation, from, difference(before, kernel, processes)});
    }
    before = kernel;
  }
  return report;
}

std::string generation_line(const GenerationEnded& ended) {
  const std::string ratio =
      ended.confirmed ? ratio_text(ended.confirmed->ratio) : std::string("no ratio");
  return fmt::format("generation {}: {}, noise floor {}: {}", ended.generation, ratio,
                     percent(ended.noise_floor), outcome_words(ended));
}

std::string render_chain_markdown(const ChainReport& report) {
  const ChainState& state = report.state;
  const ChainCreated& created = *state.created;
  std::string out = fmt::format(
      "# Evolution of {}\n\nEach generation is a run of its own; a best that is confirmed and "
      "beats its reference by more than the noise floor becomes the reference of the next, with "
      "goal {}x.\n\n## Links\n\n",
      created.problem, format_ratio(created.step));
  out += links_table(state) + "\n## Against the original\n\n" + cumulative_text(state);
  if (state.finished) {
    out +=
        fmt::format("\n## Why it stopped\n\n{}: {}.\n\n{}\n", chain_end_text(state.finished->why),
                    printable(state.finished->detail), kPlateau);
  }
  if (!report.changes.empty()) out += "\n## What each generation changed\n";
  for (const ChainReport::Change& change : report.changes) {
    out += fmt::format("\n### Generation {}, against {}\n\n```diff\n{}```\n", change.generation,
                       change.from, change.text);
  }
  return out;
}

std::string render_chain_summary(const ChainState& state) {
  std::string out;
  for (const Generation& each : state.generations) {
    if (each.ended) out += "  " + generation_line(*each.ended) + "\n";
  }
  if (state.cumulative && state.cumulative->failure.empty()) {
    out += fmt::format("against the original, {}:\n", printable(state.cumulative->opponent));
    for (const CumulativeRatio& each : state.cumulative->ratios) {
      out += fmt::format("  generation {}: {}\n", each.generation, ratio_text(each.measured.ratio));
    }
  } else if (state.cumulative) {
    out += fmt::format("against the original: {}\n", printable(state.cumulative->failure));
  }
  if (state.finished) {
    out += fmt::format("stopped ({}): {}\n{}\n", chain_end_text(state.finished->why),
                       printable(state.finished->detail), kPlateau);
  }
  return out;
}

Json chain_json(const ChainState& state, const ChainPaths& paths) {
  Json links = Json::array();
  for (const Generation& each : state.generations) {
    if (!each.ended) continue;
    Json link = Json::object();
    link.set("generation", each.opened.generation);
    link.set("problem", each.opened.problem);
    link.set("run", each.opened.run);
    link.set("opponent", each.ended->opponent);
    link.set("ratio", each.ended->confirmed ? to_json(*each.ended->confirmed) : Json());
    link.set("noise_floor", each.ended->noise_floor);
    link.set("candidates", each.ended->candidates);
    link.set("gain", is_gain(*each.ended));
    links.push_back(std::move(link));
  }
  Json cumulative = Json::array();
  if (state.cumulative) {
    for (const CumulativeRatio& each : state.cumulative->ratios) {
      cumulative.push_back(
          Json::object().set("generation", each.generation).set("ratio", to_json(each.measured)));
    }
  }
  Json json = Json::object();
  json.set("problem", state.created->problem);
  json.set("step", state.created->step);
  json.set("links", std::move(links));
  json.set("cumulative", std::move(cumulative));
  json.set("stopped", state.finished ? Json(chain_end_text(state.finished->why)) : Json());
  json.set("reason", state.finished ? Json(state.finished->detail) : Json());
  json.set("report", paths.report().string());
  return json;
}

}  // namespace forge
