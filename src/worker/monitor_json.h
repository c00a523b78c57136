// The monitor's findings in result.json. Pure. May know: judge. Format: docs/formats/result.md.
#pragma once

#include "base/json.h"
#include "judge/monitor.h"

namespace forge {

Json to_json(const MonitorFindings& findings);
Result<MonitorFindings> monitor_from_json(const JsonReader& reader);

}  // namespace forge
