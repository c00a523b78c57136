// Conversations with a script instead of a child. May know: base, conversation.h.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "sys/conversation.h"

namespace forge {

// Answers each text that is sent with the text that the script returns for it; "" is a child that
// stays silent until the time limit. The script sees "" once, at the start.
class FakeConversation : public Conversation {
 public:
  using Script = std::function<std::string(std::string_view sent)>;

  explicit FakeConversation(Script script) : script_(std::move(script)) { answer(""); }

  int pid() const override { return 1; }
  Status send(std::string_view text, std::chrono::milliseconds) override {
    answer(text);
    return {};
  }
  Result<std::string> read_line(std::chrono::milliseconds) override {
    if (next_ < lines_.size()) return lines_[next_++];
    return Error{ErrorKind::kInfrastructure, "cannot get an answer from", "the fake child",
                 "took longer than its time limit", ""};
  }
  std::string standard_error() override { return ""; }

 private:
  void answer(std::string_view text) {
    for (std::string& line : split_lines(script_(text))) lines_.push_back(std::move(line));
  }

  Script script_;
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

class FakeConversationStarter : public ConversationStarter {
 public:
  explicit FakeConversationStarter(FakeConversation::Script script) : script_(std::move(script)) {}

  Result<std::unique_ptr<Conversation>> start(const ProcessSpec& spec) override {
    started.push_back(spec);
    return std::unique_ptr<Conversation>(std::make_unique<FakeConversation>(script_));
  }

  std::vector<ProcessSpec> started;

 private:
  FakeConversation::Script script_;
};

}  // namespace forge
