#include "sys/process_fake.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace forge {
namespace {

class FakeChild : public Child {
 public:
  FakeChild(int pid, std::optional<ProcessResult> result, std::shared_ptr<int> kills)
      : pid_(pid), result_(std::move(result)), kills_(std::move(kills)) {}
  ~FakeChild() override { kill_group(); }

  int pid() const override { return pid_; }
  Result<std::optional<ProcessResult>> wait(std::chrono::milliseconds) override { return result_; }
  void kill_group() override {
    if (result_) return;
    ++*kills_;
    result_.emplace();
    result_->end = Signalled{SIGKILL};
  }

  std::string_view output_so_far() const override { return {}; }

 private:
  int pid_;
  std::optional<ProcessResult> result_;
  std::shared_ptr<int> kills_;
};

bool starts_with(const std::vector<std::string>& argv, const std::vector<std::string>& prefix) {
  return prefix.size() <= argv.size() && std::equal(prefix.begin(), prefix.end(), argv.begin());
}

}  // namespace

void FakeProcessRunner::answer(std::vector<std::string> argv_prefix, ProcessResult result) {
  answer(std::move(argv_prefix),
         Answer([result](const ProcessSpec&) -> Result<ProcessResult> { return result; }));
}

void FakeProcessRunner::answer(std::vector<std::string> argv_prefix, Error error) {
  answer(std::move(argv_prefix),
         Answer([error](const ProcessSpec&) -> Result<ProcessResult> { return error; }));
}

void FakeProcessRunner::answer(std::vector<std::string> argv_prefix, Answer answer) {
  rules_.push_back({std::move(argv_prefix), std::move(answer)});
}

void FakeProcessRunner::hang(std::vector<std::string> argv_prefix) {
  rules_.push_back({std::move(argv_prefix), Answer()});
}

Result<FakeProcessRunner::Rule> FakeProcessRunner::find(const ProcessSpec& spec) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (!starts_with(spec.argv, rule.prefix)) continue;
    if (best == nullptr || rule.prefix.size() >= best->prefix.size()) best = &rule;
  }
  if (best != nullptr) return *best;
  return Error{ErrorKind::kNotFound, "cannot start", join(spec.argv, " "),
               "the fake has no answer for it", "add one with answer()"};
}

Result<ProcessResult> FakeProcessRunner::run(const ProcessSpec& spec) {
  calls_.push_back(spec);
  FORGE_TRY(const Rule rule, find(spec));
  if (rule.answer) return rule.answer(spec);
  // Without a limit, the real one would wait for ever.
  FORGE_CHECK(spec.limits.wall.count() > 0);
  ProcessResult result;
  result.end = TimedOut{spec.limits.wall};
  return result;
}

Result<std::unique_ptr<Child>> FakeProcessRunner::start(const ProcessSpec& spec) {
  calls_.push_back(spec);
  FORGE_TRY(const Rule rule, find(spec));
  std::optional<ProcessResult> result;
  if (rule.answer) {
    FORGE_TRY(result, rule.answer(spec));
  }
  const int pid = static_cast<int>(1000 + calls_.size());
  return std::unique_ptr<Child>(std::make_unique<FakeChild>(pid, std::move(result), kills_));
}

ProcessResult exited_with(int code, std::string standard_output) {
  ProcessResult result;
  result.end = Exited{code};
  result.standard_output = std::move(standard_output);
  return result;
}

}  // namespace forge
