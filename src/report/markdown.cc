// report.md. Texts that a candidate, an agent or a tool wrote go through cell(), so that they can't
// forge a heading, a row or HTML.
#include <fmt/format.h>

#include "base/text.h"
#include "report/limits.h"
#include "report/render.h"

namespace forge {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : clip(printable(text), 400)) {
    switch (c) {
      case '\n':
      case '\t':
        out += ' ';
        break;
      case '|':
        out += "\\|";
        break;
      case '<':
        out += "&lt;";
        break;
      case '`':
        out += '\'';
        break;
      default:
        out += c;
    }
  }
  return out.empty() ? "-" : out;
}

std::string bullet(std::string_view text) { return fmt::format("- {}\n", text); }

std::string summary_section(const ReportModel& model) {
  std::string text = "## Summary\n\n";
  if (!model.confirmation) {
    return text + "Nothing was confirmed, so there is no ratio to report.\n\n";
  }
  const ReportContrast& overall = model.confirmation->overall;
  const MeanTimes mean = mean_times(*model.confirmation);
  text += fmt::format("The best kernel **{}** the reference: {} ({:.0f} % interval).\n\n",
                      comparison_verb(overall.comparison), ratio_text(overall.ratio),
                      100 * (1 - model.confirmation->alpha));
  text += "| | |\n| --- | --- |\n";
  text += fmt::format("| opponent | {} |\n", cell(model.confirmation->opponent));
  text += fmt::format("| reference time | {} |\n", format_duration_ns(mean.reference_ns));
  text += fmt::format("| best time | {} |\n", format_duration_ns(mean.best_ns));
  text += fmt::format("| ratio | {} |\n", ratio_text(overall.ratio));
  text += fmt::format("| trials | {} new, new seeds, no looks |\n", overall.trials);
  text += fmt::format("| goal | {}x, {} |\n\n", format_ratio(model.goal_ratio),
                      model.goal_reached ? "reached" : "not reached");
  if (!overall.reason.empty()) text += fmt::format("No verdict: {}.\n\n", cell(overall.reason));
  const auto slower = model.confirmation->slower_shapes();
  if (!slower.empty()) {
    text += fmt::format(
        "**Slower than the reference, or perhaps so, on {} of {} public shapes: {}.**\n\n",
        slower.size(), model.confirmation->public_shapes().size(), cell(join(slower, ", ")));
  }
  return text +
         "Times and ratio are geometric means over the public shapes, cold cache. A ratio is the "
         "reference's time over the best kernel's: above 1, the kernel is faster.\n\n";
}

std::string shape_table(const std::vector<ReportShape>& shapes) {
  std::string text =
      "| shape | reference | best | cold ratio | warm ratio | of copy bandwidth | |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ReportShape& shape : shapes) {
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} |\n", cell(shape.name),
        format_duration_ns(shape.reference_ns), format_duration_ns(shape.best_ns),
        ratio_text(shape.cold), shape.warm ? ratio_text(*shape.warm) : "-",
        shape.copy_fraction ? fmt::format("{:.2f}", *shape.copy_fraction) : "-",
        shape.slower_words().empty() ? "" : fmt::format("**{}**", shape.slower_words()));
  }
  return text + '\n';
}

std::string shapes_section(const ReportConfirmation& confirmation) {
  std::string text = "## By shape\n\n" + shape_table(confirmation.public_shapes());
  const auto hidden = confirmation.hidden_shapes();
  if (!hidden.empty()) {
    text +=
        "Hidden shapes, which no agent saw: correct on all; speed shown beside, not part of "
        "the ratio.\n\n" +
        shape_table(hidden);
  }
  text +=
      "A shape is *slower* if its whole interval lies below 1, and *perhaps slower* if its "
      "point does.\n\n";
  for (const ReportContrast& each : confirmation.others) {
    text +=
        fmt::format("- {} cache, against {}: the best {} it, {}{}\n", each.cache,
                    cell(each.opponent), comparison_verb(each.comparison), ratio_text(each.ratio),
                    each.reason.empty() ? "" : " (" + cell(each.reason) + ")");
  }
  if (!confirmation.others.empty()) text += '\n';
  return text;
}

std::string machine_section(const ReportMachine& machine) {
  if (machine.cpu.empty()) return "";
  std::string text = "## Machine\n\n| | |\n| --- | --- |\n";
  text += fmt::format("| processor | {} |\n", cell(machine.cpu));
  text += fmt::format("| cores | {}; {} measures, {} run the kernels |\n", machine.cores,
                      machine.measurer_cpus, machine.arm_cpus);
  text += fmt::format("| system | {} |\n", cell(machine.kernel));
  text += fmt::format("| compiler | {} |\n", cell(machine.compiler));
  text += fmt::format("| C library | {} |\n\n", cell(machine.libc));
  return text;
}

std::string opponents_section(const ReportModel& model) {
  if (model.opponents.empty()) return "";
  std::string text = "## Opponents\n\n| label | what it is | |\n| --- | --- | --- |\n";
  for (const ReportOpponent& each : model.opponents) {
    text += fmt::format("| {} | {} | {} |\n", cell(each.label), cell(each.description),
                        each.to_beat ? "the one to beat" : "");
  }
  return text + '\n';
}

std::string judge_section(const ReportModel& model) {
  std::string text = "## Judge\n\n";
  text += bullet(fmt::format("Oracle written by: {}.", cell(model.oracle_author)));
  if (!model.oracle.empty()) text += bullet(fmt::format("Computed by: {}.", cell(model.oracle)));
  if (model.wrong_answers_tried > 0) {
    text += bullet(fmt::format(
        "Admitted: {} wrong answers were made from right ones, {} were caught, and of each kind at "
        "least one on every shape.",
        model.wrong_answers_tried, model.wrong_answers_caught));
  }
  for (const std::string& note : model.admission_notes) {
    text += bullet("The judge does not see everything: " + cell(note) + ".");
  }
  if (model.confirmation) {
    text += bullet(fmt::format(
        "The confirmation checked {} cases and {} timed calls; every one of them was verified.",
        model.confirmation->checked_cases, model.confirmation->timed_calls));
    text += bullet(model.confirmation->hidden_shapes().empty()
                       ? "There are no hidden shapes: the writer knew every shape."
                       : "Shapes that no agent saw were part of it.");
  }
  if (model.tolerance_overrides.empty()) {
    text += bullet("Tolerance: as calibrated; the problem overrides nothing.");
  }
  for (const std::string& each : model.tolerance_overrides) {
    text += bullet("Tolerance overridden by the problem: " + cell(each) + ".");
  }
  if (!model.boundary.empty()) {
    text += bullet(
        fmt::format("Boundary between the writer and the reference: {}.", cell(model.boundary)));
  }
  return text + '\n';
}

std::string monitor_section(const ReportConfirmation& confirmation) {
  if (confirmation.monitor.empty() && confirmation.monitor_notes.empty()) return "";
  std::string text =
      "## Monitor\n\n"
      "After the confirmation best and reference were given inputs that nobody drew, some beyond "
      "what the description allows, and the same inputs twice. This decides nothing: it shows "
      "where the best and the reference part.\n\n"
      "| inputs | best | reference |\n| --- | --- | --- |\n";
  for (const ReportMonitorRow& row : confirmation.monitor) {
    text +=
        fmt::format("| {} | {} | {} |\n", cell(row.inputs), cell(row.best), cell(row.reference));
  }
  text += '\n';
  for (const std::string& note : confirmation.monitor_notes) text += bullet(cell(note) + ".");
  if (!confirmation.monitor_notes.empty()) text += '\n';
  return text;
}

std::string method_section(const ReportModel& model) {
  std::string text =
      "## Method\n\n"
      "Kernel and reference are timed side by side. In each trial both are set up afresh, and "
      "every "
      "shape is measured in random order as pairs, back to back in random order, each on its own "
      "copy of the same fresh content. A shape's value in a trial is the trimmed mean of its "
      "pairs' "
      "log ratios; a trial's value is the mean over shapes; the interval is Student's t over "
      "trials. The kernel ran confined in a process that reaches neither the clock nor the "
      "expected "
      "values. Only the confirmation's numbers are for quoting: the rounds below stopped at looks "
      "and took part in choosing the best.\n\n";
  if (model.noise_floor) {
    text += fmt::format("Noise floor of this machine: {:.1f} %.", 100 * *model.noise_floor);
    if (model.machine_sd) {
      text += fmt::format(" Spread of a trial of the reference against itself: {:.2f} %.",
                          100 * *model.machine_sd);
    }
    text += "\n\n";
  }
  return text;
}

std::string milestones_section(const ReportModel& model) {
  if (model.milestones.empty()) return "";
  std::string text = "## Milestones\n\n";
  for (const ReportMilestone& milestone : model.milestones) {
    text += fmt::format("**{}** {} ({})\n\n", cell(milestone.id), cell(milestone.title),
                        cell(milestone.status));
    text += "| row | decision | value | status |\n| --- | --- | --- | --- |\n";
    for (const ReportRow& row : milestone.rows) {
      text += fmt::format("| {} | {} | {} | {} |\n", cell(row.id), cell(row.decision),
                          cell(row.value), cell(row.status));
    }
    text += '\n';
    for (const std::string& gate : milestone.gates) text += bullet("gate " + cell(gate));
    if (!milestone.gates.empty()) text += '\n';
  }
  return text;
}

std::string rounds_section(const ReportModel& model) {
  std::string text = fmt::format("## Rounds\n\nCandidates: {}.\n\n", model.candidates());
  if (model.rounds.empty()) return text;
  text +=
      "| round | row | what was tried | verdict | ratio in its own job | |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const ReportRound& round : model.rounds) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", round.number, cell(round.row),
                        cell(round.tried), cell(round.verdict),
                        round.ratio ? ratio_text(*round.ratio) : "-", cell(round.note));
  }
  text += '\n';
  std::string failures;
  for (const ReportRound& round : model.rounds) {
    if (round.reason.empty()) continue;
    failures += bullet(
        fmt::format("round {}, {}: {}", round.number, cell(round.verdict), cell(round.reason)));
  }
  if (!failures.empty()) text += "### Refused, wrong or without a verdict\n\n" + failures + '\n';
  return text;
}

std::string sweeps_section(const ReportModel& model) {
  if (model.sweeps.empty()) return "";
  std::string text =
      "## Sweeps\n\nValues that the best kernel declares, each combination checked and timed "
      "beside it "
      "for a few trials. What they advise is a hint that a round has to prove.\n\n";
  for (const ReportSweep& sweep : model.sweeps) {
    text += bullet(fmt::format(
        "{} combinations ({} no right kernel), {} measurements; expected of the advised values: "
        "{:.2f} times as fast; {}",
        sweep.combinations, sweep.failed, sweep.measurements, sweep.gain,
        sweep.why.empty() ? "it goes on" : "ended: " + cell(sweep.why)));
  }
  text += '\n';
  for (const ReportSweep& sweep : model.sweeps) {
    if (sweep.prices.empty()) continue;
    text += "| decision | advised | with its worst value |\n| --- | --- | --- |\n";
    for (const ReportPrice& price : sweep.prices) {
      text += fmt::format("| {} | {} | {:.2f} times the time |\n", cell(price.tunable),
                          cell(price.advised), price.loss);
    }
    text += '\n';
  }
  return text;
}

std::string limits_section(const ReportModel& model) {
  std::string text = "## What the number does not say\n\n";
  for (const std::string& each : what_the_number_does_not_say(model)) text += bullet(each);
  return text + '\n';
}

std::string files_section(const ReportModel& model) {
  std::string text = "## Files\n\n";
  if (!model.best_folder.empty()) {
    text += bullet(fmt::format("`{}`: {}", model.best_folder, join(model.best_files, ", ")));
  }
  text += bullet(fmt::format("`{}/journal.jsonl`: every event of the run", model.directory));
  text +=
      bullet(fmt::format("`{}/tree`: the kernel's history, one commit a round", model.directory));
  text += bullet(fmt::format("`{}/jobs`: every job with its raw numbers", model.directory));
  text += "\n## Reproduce\n\n";
  if (!model.build_command.empty()) {
    text += fmt::format(
        "Build the kernel inside a copy of `best/` (the exact command of the run is in build.txt):"
        "\n\n    {}\n\n",
        printable(model.build_command));
  }
  return text + fmt::format(
                    "Judge and time it again with\n\n    forge judge {}/problem {}/kernel.{}\n\n"
                    "Written by {}.\n",
                    model.directory, model.best_folder.empty() ? "best" : model.best_folder,
                    model.target == "cuda" ? "cu" : "cpp", model.version);
}

}  // namespace

std::string render_markdown(const ReportModel& model) {
  std::string text = fmt::format("# {} on {}\n\n", cell(model.problem), cell(model.target));
  text += fmt::format("Run `{}`, started {}: {}.\n\n", model.run, model.started, cell(model.state));
  text += summary_section(model);
  if (model.confirmation) text += shapes_section(*model.confirmation);
  text += opponents_section(model);
  text += machine_section(model.machine);
  text += judge_section(model);
  if (model.confirmation) text += monitor_section(*model.confirmation);
  text += method_section(model);
  text += milestones_section(model);
  text += sweeps_section(model);
  text += rounds_section(model);
  text += limits_section(model);
  return text + files_section(model);
}

}  // namespace forge
