// What a reader might take the number for, and should not. Pure. May know: model.h.
#pragma once

#include <string>
#include <vector>

#include "report/model.h"

namespace forge {

// One sentence each, the same in every rendering.
std::vector<std::string> what_the_number_does_not_say(const ReportModel& model);

}  // namespace forge
