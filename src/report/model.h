// What a report says, as data: every renderer draws from this and from nothing else. Pure.
// May know: base, stats.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stats/sequential.h"

namespace forge {

struct ReportMachine {
  std::string cpu;
  std::string kernel;
  int cores = 0;
  std::string measurer_cpus;  // "0"
  std::string arm_cpus;       // "1" or "1-3"
  std::string compiler;
  std::string libc;
};

struct ReportOpponent {
  std::string label;
  std::string description;  // with versions
  bool to_beat = false;     // the fastest of the references
};

// One shape at the confirmation, against the opponent to beat.
struct ReportShape {
  std::string name;
  double reference_ns = 0;
  double best_ns = 0;
  Interval cold;  // opponent over best
  std::optional<Interval> warm;
  std::optional<double> copy_fraction;  // of the copy bandwidth of the same cores, same job
  bool hidden = false;  // no agent saw it; checked and timed, but no part of the overall ratio

  // Empty unless the point is below 1: a mean must hide no shape that got slower, and an interval
  // that contains 1 is no reason to be silent. The words say which of the two it is.
  std::string_view slower_words() const;
};

struct ReportContrast {
  std::string opponent;
  std::string cache;  // "cold" | "warm"
  Comparison comparison = Comparison::kNoVerdict;
  Interval ratio;
  int trials = 0;
  std::string reason;  // of no verdict
};

// What the monitor saw; it decided nothing.
struct ReportMonitorRow {
  std::string inputs;     // "scaled up"; "the same twice"
  std::string best;       // "6 of 6 right"
  std::string reference;  // the one to beat; empty: not run
  bool best_departs = false;
  bool reference_departs = false;
};

// The numbers that may be quoted: new trials, new seeds, no looks.
struct ReportConfirmation {
  std::string opponent;    // label of the one to beat
  ReportContrast overall;  // cold
  std::vector<ReportContrast> others;
  std::vector<ReportShape> shapes;
  double alpha = 0.01;
  int checked_cases = 0;
  int timed_calls = 0;
  std::vector<ReportMonitorRow> monitor;
  std::vector<std::string> monitor_notes;  // what was not tried

  std::vector<ReportShape> public_shapes() const;
  std::vector<ReportShape> hidden_shapes() const;
  // Names of the public shapes with slower_words().
  std::vector<std::string> slower_shapes() const;
};

// Geometric means over the public shapes, cold: the times whose quotient the overall ratio is.
struct MeanTimes {
  double reference_ns = 0;
  double best_ns = 0;
};
MeanTimes mean_times(const ReportConfirmation& confirmation);

struct ReportRow {
  std::string id;
  std::string decision;
  std::string value;   // the value or range that was decided
  std::string status;  // "closed after 3 rounds: …", "open"
};

struct ReportMilestone {
  std::string id;
  std::string title;
  std::string status;
  std::vector<ReportRow> rows;
  std::vector<std::string> gates;  // each with what came of it
};

struct ReportRound {
  int number = 0;
  std::string row;
  std::string tried;
  std::string verdict;            // "passed", "wrong", …
  std::optional<Interval> ratio;  // of this round's own job: not for quoting
  std::string note;               // "new best", "kept", "rolled back"
  std::string reason;             // of a verdict other than passed
};

// One decision of a kernel, as a sweep sees it.
struct ReportPrice {
  std::string tunable;
  std::string advised;
  double loss = 1;  // time with its worst value over the time with the advised one
};

// Values measured beside the best of their time, without an agent's turn: hints, not for quoting.
struct ReportSweep {
  int combinations = 0;  // timed or refused
  int failed = 0;        // of them: no right kernel
  int measurements = 0;
  double gain = 1;  // the best's time over that of the advised values, as believed
  std::string why;  // it ended; empty: it goes on
  std::vector<ReportPrice> prices;
};

struct ReportStage {
  std::string name;
  std::string status;
};

struct ReportModel {
  std::string problem;
  std::string target;
  std::string run;        // the run's name
  std::string directory;  // as the user names it
  std::string state;      // "finished: goal reached", "running: forge", …
  std::string started;    // UTC
  std::string version;    // forge's own, one line
  double goal_ratio = 1;
  bool goal_reached = false;
  double elapsed_s = 0;
  std::set<std::string> hidden_shapes;  // names
  int best_round = 0;                   // 0: none
  std::vector<ReportStage> stages;

  ReportMachine machine;
  std::vector<ReportOpponent> opponents;
  std::string oracle;  // what computed the expected values, with versions
  std::string oracle_author;
  std::optional<double> noise_floor;
  std::optional<double> machine_sd;

  std::optional<ReportConfirmation> confirmation;
  std::vector<ReportMilestone> milestones;
  std::vector<ReportRound> rounds;
  std::vector<ReportSweep> sweeps;

  std::string writer;  // the model: "builtin", "claude-…"
  bool writer_saw_source = false;
  std::string boundary;  // "advisory", or what keeps the writer out
  // Of admission: how many wrong answers were tried and caught, and what the judge does not see.
  int wrong_answers_tried = 0;
  int wrong_answers_caught = 0;
  std::vector<std::string> admission_notes;
  std::vector<std::string> tolerance_overrides;
  std::vector<std::string> not_executed;  // parts of the problem beyond this version
  std::string best_folder;                // empty: there is no best
  std::vector<std::string> best_files;
  std::string build_command;  // that works inside a copy of best/

  // "35 tried: 9 in rounds, 26 in sweeps"
  std::string candidates() const;
};

// "beats", "matches", "is slower than", "has no verdict against": different words on purpose.
std::string_view comparison_verb(Comparison comparison);
// Geometric mean; NaN if empty.
double geometric_mean(const std::vector<double>& values);

}  // namespace forge
