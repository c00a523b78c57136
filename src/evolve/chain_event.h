// What can happen in a chain of generations, as types; its journal is a list of these. May know:
// run/event.h. Format: docs/formats/chain.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "run/event.h"

namespace forge {

struct ChainCreated {
  std::string problem;         // of generation 0
  std::string task;            // its folder, as it was given
  std::string problem_digest;  // of its files
  double step = 0;             // goal of every later generation
  int max_generations = 0;     // 0: no cap
  std::string tool;
};

// Written before the run is made, so that a run is never made twice.
struct GenerationOpened {
  int generation = 0;
  std::string problem;
  std::string task;  // its folder
  std::string run;   // the name of the run's directory
};

// What the run of a generation found. Without a confirmed best there is no ratio.
struct GenerationEnded {
  int generation = 0;
  Ending ending = Ending::kNoKernel;
  std::string why;
  std::string opponent;    // description of the reference that was to be beaten
  double noise_floor = 0;  // of the baseline: a relative spread
  std::optional<MeasuredRatio> confirmed;
  int candidates = 0;
};

struct ProblemWritten {
  int generation = 0;  // that the problem is for
  std::string problem;
  std::string task;
  std::string digest;
};

// One generation's best against the fastest of the original references.
struct CumulativeRatio {
  int generation = 0;
  MeasuredRatio measured;
};

// All generations and the original references side by side in one job.
struct CumulativeMeasured {
  std::string opponent;  // description of the original reference
  std::vector<CumulativeRatio> ratios;
  std::string failure;  // why there are none; empty: there are
};

enum class ChainEnd { kInsideNoiseFloor, kNoConfirmedBest, kCapReached };
std::string_view chain_end_text(ChainEnd end);
std::optional<ChainEnd> parse_chain_end(std::string_view text);

struct ChainFinished {
  ChainEnd why = ChainEnd::kInsideNoiseFloor;
  std::string detail;
};

using ChainEvent = std::variant<ChainCreated, GenerationOpened, GenerationEnded, ProblemWritten,
                                CumulativeMeasured, ChainFinished>;

std::string_view chain_event_type(const ChainEvent& event);
Json chain_event_data(const ChainEvent& event);
// `place` names the line in messages.
Result<ChainEvent> chain_event_from_json(std::string_view type, const Json& data,
                                         const std::string& place);

}  // namespace forge
