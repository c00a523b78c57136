// What a chain has shown: as data, then as Markdown, JSON and a summary. May know: chain_state.h,
// sys (reading kernels, git for differences).
#pragma once

#include <string>
#include <vector>

#include "evolve/chain_paths.h"
#include "evolve/chain_state.h"
#include "sys/process.h"

namespace forge {

struct ChainReport {
  ChainState state;
  struct Change {
    int generation = 0;
    std::string from;  // what the difference is against, in words
    std::string text;  // unified; or why there is none
  };
  std::vector<Change> changes;  // of the generations that gained
};

// Starts git for each difference: what needs no differences needs no report.
Result<ChainReport> read_chain_report(const ChainState& state, const Path& artifacts,
                                      FileReader& fs, ProcessRunner& processes);

// One line about a generation's outcome.
std::string generation_line(const GenerationEnded& ended);

std::string render_chain_markdown(const ChainReport& report);
std::string render_chain_summary(const ChainState& state);
Json chain_json(const ChainState& state, const ChainPaths& paths);

}  // namespace forge
