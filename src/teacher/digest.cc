#include "teacher/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forge {
namespace {

std::optional<double> ratio_of(const Round& round) {
  if (!round.judged || !round.judged->vs_reference) return std::nullopt;
  return round.judged->vs_reference->ratio.point;
}

RowDigest& row_of(RunDigest& digest, const Round& round, std::optional<double> before) {
  for (auto& row : digest.rows) {
    if (row.milestone == round.started.milestone && row.row == round.started.row) return row;
  }
  return digest.rows.emplace_back(
      RowDigest{round.started.milestone, round.started.row, 0, before, before, ""});
}

void add_round(RunDigest& digest, const Round& round, std::optional<double>& best_ratio) {
  if (!round.judged) return;
  const auto& judged = *round.judged;
  digest.curve.push_back({judged.round, round.started.row, round.started.tried, judged.verdict,
                          ratio_of(round), judged.is_best});
  auto& row = row_of(digest, round, best_ratio);
  if (judged.is_best) best_ratio = ratio_of(round);
  ++row.rounds;
  row.after = best_ratio;
  const bool slower = judged.vs_incumbent && judged.vs_incumbent->comparison == Comparison::kSlower;
  if (judged.verdict == Verdict::kPassed && slower) digest.regressions.push_back(judged.round);
  if (is_unusable(judged.verdict)) digest.unusable.push_back(judged.round);
  if (judged.reused_from == 0) digest.jobs.push_back(round.started.job);
}

std::string ratio_text(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "none";
}

std::string list_text(const std::vector<int>& numbers) {
  return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ", "));
}

// What measurements without an agent's turn say of the best's values.
std::string sweep_text(const SweepDigest& sweep) {
  const SweepEnded& ended = sweep.ended;
  auto text =
      fmt::format("\nsweep of declared values: {} jobs, ended: {}\n", sweep.jobs, ended.why);
  text += fmt::format("expected of what it advises: {:.3f} times as fast\n", ended.gain);
  for (const TunablePrice& price : ended.prices) {
    text += fmt::format("  {} = {}: with its worst value {:.3f} times as long\n", price.tunable,
                        value_of(ended.advised, price.tunable), price.loss);
  }
  return text;
}

}  // namespace

RunDigest digest_run(const State& state, const ProblemFacts& facts) {
  RunDigest digest;
  digest.target_ratio = facts.goal_ratio;
  std::optional<double> best_ratio;
  for (const auto& round : state.rounds) add_round(digest, round, best_ratio);
  for (const Sweep& sweep : state.sweeps) {
    if (sweep.ended) digest.sweeps.push_back({sweep.jobs, *sweep.ended});
  }
  if (const auto* best = state.best()) digest.achieved_ratio = ratio_of(*best);
  if (digest.achieved_ratio) digest.gap = *digest.achieved_ratio / digest.target_ratio;
  for (auto& row : digest.rows) {
    const auto* milestone = state.milestone(row.milestone);
    if (milestone == nullptr) continue;
    const auto closed = milestone->closed_rows.find(row.row);
    if (closed != milestone->closed_rows.end()) row.closed = closed->second;
  }
  return digest;
}

std::string render(const RunDigest& digest) {
  auto text =
      fmt::format("target: reference over best {:.3f}\nachieved: {}\nachieved over target: {}\n",
                  digest.target_ratio, ratio_text(digest.achieved_ratio), ratio_text(digest.gap));
  text += "\nround  row      verdict        ratio  tried\n";
  for (const auto& point : digest.curve) {
    text += fmt::format("{:5}  {:8} {:13} {:>6}  {}{}\n", point.round, point.row,
                        verdict_text(point.verdict), ratio_text(point.ratio), point.tried,
                        point.is_best ? " (new best)" : "");
  }
  text += "\nrow      rounds  before   after  closed\n";
  for (const auto& row : digest.rows) {
    text +=
        fmt::format("{:8} {:6}  {:>6}  {:>6}  {}\n", row.row, row.rounds, ratio_text(row.before),
                    ratio_text(row.after), row.closed.empty() ? "open" : row.closed);
  }
  for (const SweepDigest& sweep : digest.sweeps) text += sweep_text(sweep);
  text += fmt::format("\nslower than the best: rounds {}\nnot usable: rounds {}\n",
                      list_text(digest.regressions), list_text(digest.unusable));
  text += fmt::format("raw logs: jobs {}\n", list_text(digest.jobs));
  return text;
}

}  // namespace forge
