// What it takes to drive runs from a terminal: the way to the hardware, the agent, progress. May
// know: driver, report, context.h.
#pragma once

#include <memory>

#include "cli/context.h"
#include "driver/context.h"
#include "driver/create_run.h"

namespace forge {

class DriverSession {
 public:
  // `subcommand` names us to a second driver. `out` takes progress.
  static Result<std::unique_ptr<DriverSession>> open(Context& context, const AgentsConfig& agents,
                                                     std::string_view subcommand, std::ostream& out,
                                                     Terminal terminal);
  ~DriverSession();

  DriverContext& driver() { return *driver_; }

 private:
  DriverSession() = default;

  std::unique_ptr<Delivery> delivery_;
  Agents agents_;
  std::unique_ptr<Progress> progress_;
  std::unique_ptr<DriverContext> driver_;
};

// Of a task, as forge new and each generation of forge evolve make it.
Result<NewRun> new_run_request(const Path& task, const AgentsConfig& agents, Context& context);

}  // namespace forge
