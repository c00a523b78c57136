// What the job runs on, in words. May know: sys, worker/result.h.
#pragma once

#include <string>
#include <vector>

#include "sys/fs.h"
#include "sys/process.h"
#include "worker/result.h"
#include "worker/run_job.h"

namespace forge {

MachineFacts machine_facts(FileReader& fs, const WorkerCpus& cpus);

// ", libdnnl 2.6.3 (package libdnnl2)" as far as the system's package manager knows.
std::string describe_libraries(const std::vector<std::string>& libraries, ProcessRunner& processes);

}  // namespace forge
