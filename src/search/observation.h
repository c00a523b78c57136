// What was measured of a space's points, as it is kept and given to the search. Pure. May know:
// base.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace forge {

// One combination of values in one job. Its trials were measured beside those of the job's other
// combinations and beside the start, which is why they share that one's noise.
struct Observation {
  std::map<std::string, std::string> settings;
  int job = 0;
  std::string failure;   // why it is no kernel that works; empty: it is right
  std::string artefact;  // digest; equal ones are the same program
  // [trial][shape]: log(start's time / its time), so that more is faster. None: it is the same
  // program as one that has some.
  std::vector<std::vector<double>> trials;
};

Json to_json(const Observation& observation);
Result<Observation> observation_from_json(const JsonReader& reader);

// Of one combination: how often it is to be measured.
struct SearchRequest {
  std::map<std::string, std::string> settings;
  int trials = 1;
};

// What a search asks for next, or why it asks for nothing.
struct SearchProposal {
  std::vector<SearchRequest> requests;
  std::string done;  // empty: there is something to measure
};

// Trials of all combinations; one that fails costs one.
int measurements_of(const std::vector<Observation>& observations);

}  // namespace forge
