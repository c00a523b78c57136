// What can happen in a run, as types: the journal is a list of these and nothing else is the truth.
// May know: base, search, stats. Format: docs/formats/journal.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "run/names.h"
#include "search/observation.h"
#include "stats/sequential.h"

namespace forge {

struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  double cost = 0;
  double seconds = 0;
};

// A turn that an agent took, and what it had to say.
struct TurnNote {
  int turn = 0;
  std::string note;
  Usage usage;
};

// Values of a kernel's tunables by name.
using Settings = std::map<std::string, std::string>;

// Opponent's time over the candidate's, measured in one job.
struct MeasuredRatio {
  Interval ratio;
  Comparison comparison = Comparison::kNoVerdict;
  int trials = 0;
};

struct RunCreated {
  std::string problem;
  std::string target;
  std::string problem_digest;
  std::uint64_t seed = 0;  // of draws and orders; public, unlike the seeds in secrets.json
  std::string tool;        // name and version of the program
  std::string backend;
  std::string model;
  std::string boundary;  // how agents are kept from what they must not see
};

// The operator tree exists and holds the start kernel.
struct Prepared {
  std::string commit;
  std::string source;  // digest of the kernel's source
};

struct JudgeFrozen {
  int job = 0;
  std::string digest;  // of the judge's files
  std::string author;
  std::string oracle;
  Json tolerance;
  Json admission;  // what wrong answers were tried and what the judge does not see
};

struct ShapeTime {
  std::string shape;
  double median_ns = 0;
};

struct BaselineMeasured {
  int job = 0;
  std::string opponent;  // arm label of the fastest reference
  std::string description;
  std::vector<ShapeTime> times;
  double noise_floor = 0;
  double machine_sd = 0;
  bool unsteady = false;
};

struct Scouted {
  std::string findings;
};

struct MilestoneOutline {
  std::string id;
  std::string digest;             // of its TOML text: equal digests, equal milestones
  std::vector<std::string> rows;  // ids, in an order that respects their needs
  std::vector<std::string> gates;
};

struct MilestonesWritten {
  int version = 0;
  std::vector<MilestoneOutline> milestones;
  TurnNote turn;
};

struct RoundStarted {
  int round = 0;
  std::string milestone;
  std::string row;  // kStartRow: the start kernel as it came; kSweepRow: what a sweep advised
  int job = 0;
  std::string parent;  // commit to return to when the candidate is wrong; empty: none
  std::string commit;
  std::string source;  // digest of the candidate's source
  std::string space;  // the same for kernels that differ in their tunables' values alone; empty: it
                      // has nothing to choose
  std::string tried;  // in words
  Settings settings;
  TurnNote turn;
};

struct RoundJudged {
  int round = 0;
  Verdict verdict = Verdict::kNoVerdict;
  std::string reason;
  std::string artefact;  // digest of what was built; empty: nothing was
  std::optional<MeasuredRatio> vs_reference;
  std::optional<MeasuredRatio> vs_incumbent;
  bool is_best = false;
  int reused_from = 0;  // round whose verdict this is; 0: its own
};

// One job of a sweep: values of the best's tunables, each combination timed beside the best itself.
struct Swept {
  int job = 0;
  std::string space;  // of the best, as in RoundStarted
  Settings origin;    // the best's values: what the ratios are relative to
  std::vector<Observation> observations;
};

// What one tunable is worth, as believed after a sweep, from the advised values on.
struct TunablePrice {
  std::string tunable;
  double loss = 1;  // time with its worst value over the time with the advised one
};

// The sweep of a space has nothing more to ask for. What it advises is a hint: a round judges it.
struct SweepEnded {
  std::string space;
  std::string why;
  Settings advised;
  double gain = 1;  // time of the origin over that of the advised values, as believed
  std::vector<TunablePrice> prices;  // the dearest first
};

struct RolledBack {
  int round = 0;
  std::string commit;
};

struct RowClosed {
  std::string milestone;
  std::string row;
  std::string reason;
  TurnNote turn;
};

struct GateEvaluated {
  std::string milestone;
  std::string gate;
  GateOutcome outcome = GateOutcome::kNotEvaluated;
  std::string detail;
};

struct MilestoneClosed {
  std::string milestone;
};

struct TeacherEntered {
  Trigger trigger = Trigger::kRowsDone;
  std::string detail;
};

struct TurnFailedEvent {
  std::string role;
  std::string row;  // empty: not a student's
  TurnNote turn;
};

struct ForgeEnded {
  ForgeEnd why = ForgeEnd::kNothingLeft;
  std::string detail;
  TurnNote turn = {};  // of the teacher that had nothing to add
};

struct OpponentRatio {
  std::string opponent;
  MeasuredRatio measured;
};

struct Confirmed {
  int job = 0;
  int round = 0;
  Verdict verdict = Verdict::kNoVerdict;
  std::string reason;
  std::vector<OpponentRatio> ratios;
  bool goal_met = false;
};

struct Finished {
  Ending ending = Ending::kNoKernel;
  std::string why;
};

using Event =
    std::variant<RunCreated, Prepared, JudgeFrozen, BaselineMeasured, Scouted, MilestonesWritten,
                 RoundStarted, RoundJudged, Swept, SweepEnded, RolledBack, RowClosed, GateEvaluated,
                 MilestoneClosed, TeacherEntered, TurnFailedEvent, ForgeEnded, Confirmed, Finished>;

std::string_view event_type(const Event& event);
Json event_data(const Event& event);
// `document` names the place in messages ("journal.jsonl:17").
Result<Event> event_from_json(std::string_view type, const Json& data, const std::string& document);

}  // namespace forge
