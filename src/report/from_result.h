// The parts of a report that come from one job's result. Pure. May know: worker/result.h.
#pragma once

#include <set>
#include <string>

#include "base/error.h"
#include "report/model.h"
#include "worker/result.h"

namespace forge {

// Machine, opponents and the oracle's versions.
void add_result(const JobResult& result, const std::string& opponent, ReportModel& model);

// Of a confirmation's result, against the arm labelled `opponent`. `hidden`: names of the problem's
// hidden shapes.
Result<ReportConfirmation> confirmation_of(const JobResult& result, const std::string& opponent,
                                           const std::set<std::string>& hidden);

// "0-3,6"; "none" for an empty set.
std::string cpu_set_text(const std::vector<int>& cpus);

}  // namespace forge
