// A process runner that answers from a table and starts nothing. May know: base, process.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sys/process.h"

namespace forge {

// The rule with the longest matching beginning of argv answers; of equally long ones the latest.
// A call that no rule matches is an error that shows the call.
class FakeProcessRunner : public ProcessRunner {
 public:
  using Answer = std::function<Result<ProcessResult>(const ProcessSpec&)>;

  void answer(std::vector<std::string> argv_prefix, ProcessResult result);
  void answer(std::vector<std::string> argv_prefix, Error error);
  // For answers that depend on the call, or that have effects (on a FakeFs, say).
  void answer(std::vector<std::string> argv_prefix, Answer answer);
  // The process never ends by itself: run() reports its time limit as overrun, a Child waits on.
  void hang(std::vector<std::string> argv_prefix);

  Result<ProcessResult> run(const ProcessSpec& spec) override;
  Result<std::unique_ptr<Child>> start(const ProcessSpec& spec) override;

  // All calls in order, answered or not.
  const std::vector<ProcessSpec>& calls() const { return calls_; }
  // How many children were killed before they had ended.
  int kills() const { return *kills_; }

 private:
  struct Rule {
    std::vector<std::string> prefix;
    Answer answer;  // empty: hangs
  };
  Result<Rule> find(const ProcessSpec& spec) const;

  std::vector<Rule> rules_;
  std::vector<ProcessSpec> calls_;
  std::shared_ptr<int> kills_ = std::make_shared<int>(0);
};

// A result that exited with `code` after printing `standard_output`.
ProcessResult exited_with(int code, std::string standard_output = "");

}  // namespace forge
