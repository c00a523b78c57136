// An arm of numbers, for tests of the protocol: times come from a function, faults at chosen
// actions, and everything that is done is written into a log shared by all arms.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/arm.h"

namespace forge {

class FakeArm : public Arm {
 public:
  FakeArm(std::string label, std::vector<std::string>& log,
          std::function<double(const Call&)> call_ns)
      : label_(std::move(label)), log_(&log), call_ns_(std::move(call_ns)) {}

  // The next time this action ("set_up", "prepare", "measure", "verify") is done, it fails.
  void fail_at(std::string action) { failing_ = std::move(action); }

  const std::string& label() const override { return label_; }
  std::optional<ArmFault> set_up(Random&) override { return act("set_up"); }
  std::optional<ArmFault> prepare(const std::vector<Call>& calls, CacheState, Random&) override {
    calls_ = calls;
    return act("prepare");
  }
  MeasureOutcome measure() override {
    if (auto fault = act("measure")) return *fault;
    double total = 0;
    for (const Call& call : calls_) total += call_ns_(call);
    return Nanoseconds{total};
  }
  std::optional<ArmFault> verify() override { return act("verify"); }
  void tear_down() override { log_->push_back(label_ + " tear_down"); }

 private:
  std::optional<ArmFault> act(const std::string& action) {
    log_->push_back(label_ + " " + action);
    if (action != failing_) return std::nullopt;
    return ArmFault{FaultKind::kCrash, 0, action + " failed"};
  }

  std::string label_;
  std::vector<std::string>* log_;
  std::function<double(const Call&)> call_ns_;
  std::string failing_;
  std::vector<Call> calls_;
};

}  // namespace forge
