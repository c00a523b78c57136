// A machine that computes results instead of measuring them: a kernel's time is a function of its
// tunables, whether it is a candidate or a reference. Reads bundles from and writes results to a
// FakeFs. For tests only.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "delivery/delivery.h"
#include "run/event.h"

namespace forge {

class FakeDelivery : public Delivery {
 public:
  using Time = std::function<double(const Settings&)>;  // of the kernel, in ns
  using Judge = std::function<CandidateOutcome(const Settings&)>;
  using Hook = std::function<std::optional<Error>(const JobSpec&)>;  // an error: the job fails

  explicit FakeDelivery(Fs& fs) : fs_(fs) {}

  double reference_ns = 1000;
  std::map<std::string, double> other_references_ns;  // by label, instead of reference_ns
  Time time = [](const Settings&) { return 500.0; };
  Judge judge = [](const Settings&) { return CandidateOutcome(Passed{}); };
  // Of confirmations; empty: as `judge`.
  Judge confirm_judge;
  // A confirmation's times over those of rounds: above 1, rounds have flattered.
  double confirm_slowdown = 1;
  Admission admission;  // of the alignment
  Hook before_job;
  // Spread of trials, as the standard deviation of log ratios; 0: none, and intervals of 0.5 %.
  double trial_sd = 0;
  Random noise{1};
  int ticks_per_job = 1;  // how often wait() says 'not yet'

  std::string_view name() const override { return "fake"; }
  Status submit(const JobTicket& ticket) override;
  Result<bool> wait(const JobTicket& ticket, std::chrono::milliseconds timeout) override;
  std::vector<std::string> news(const JobTicket&) override { return {}; }
  Result<JobResult> collect(const JobTicket& ticket) override;
  void cancel(const JobTicket& ticket) override { cancelled.push_back(ticket.id); }

  std::vector<JobSpec> jobs;  // each submission
  std::vector<std::string> cancelled;

 private:
  Result<JobResult> compute(const JobSpec& job, const Path& bundle);
  JobBody sweep_body(const JobSpec& job, const std::map<std::string, double>& times,
                     const std::map<std::string, Settings>& made);
  JobBody judge_body(const JobSpec& job, const std::map<std::string, double>& times,
                     const Settings& candidate);
  Contrast contrast(const std::string& opponent, double ratio);

  Fs& fs_;
  std::map<std::string, int> ticks_;
};

}  // namespace forge
