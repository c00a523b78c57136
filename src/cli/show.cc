// forge show RUN: stages, milestones, rounds and the best of one run.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/find_run.h"
#include "cli/subcommands.h"
#include "report/from_run.h"
#include "report/render.h"

namespace forge {
namespace {

void show_stages(const ReportModel& model, std::ostream& out) {
  out << "stages\n";
  for (const ReportStage& stage : model.stages) {
    out << fmt::format("  {:<9} {}\n", stage.name, stage.status);
  }
}

void show_milestones(const ReportModel& model, std::ostream& out) {
  if (model.milestones.empty()) return;
  out << "milestones\n";
  for (const ReportMilestone& milestone : model.milestones) {
    out << fmt::format("  {} {} ({})\n", milestone.id, printable(milestone.title),
                       milestone.status);
    for (const ReportRow& row : milestone.rows) {
      out << fmt::format("    {:<6} {:<40} {}\n", row.id, clip(printable(row.decision), 40),
                         clip(printable(row.status), 120));
    }
    for (const std::string& gate : milestone.gates) {
      out << fmt::format("    gate {}\n", printable(gate));
    }
  }
}

void show_rounds(const ReportModel& model, std::ostream& out) {
  if (model.rounds.empty()) return;
  out << "rounds\n";
  for (const ReportRound& round : model.rounds) {
    out << fmt::format("  {:>4} {:<6} {:<40} {:<13} {:<20} {}\n", round.number, round.row,
                       clip(printable(round.tried), 40), round.verdict,
                       round.ratio ? ratio_text(*round.ratio) : "-", round.note);
  }
}

}  // namespace

Result<int> run_show(const ShowOptions& options, Context& context) {
  FORGE_TRY(const Path run, find_run(context.fs, context.artifacts, options.run));
  FORGE_TRY(const ReportModel model, read_report(context.fs, run));
  show_stages(model, context.out);
  show_milestones(model, context.out);
  show_rounds(model, context.out);
  if (model.best_round > 0) context.out << fmt::format("best: round {}\n", model.best_round);
  context.out << render_summary(model);
  return kExitOk;
}

}  // namespace forge
