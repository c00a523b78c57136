// A child that one talks to line by line: requests on its standard input, answers on its standard
// output. May know: base, process.h. Fake: conversation_fake.h, which answers from a script.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/process.h"

namespace forge {

// Owns the child: destroying it kills the child's process group and reaps it.
class Conversation {
 public:
  virtual ~Conversation() = default;
  virtual int pid() const = 0;
  // Sends the text whole, or says why the child does not take it.
  virtual Status send(std::string_view text, std::chrono::milliseconds timeout) = 0;
  // The next line, without its end. An error's cause is "took longer than 30 s", "exited with 1
  // before it answered", "printed a line longer than 64 KiB": after one the child is of no use.
  virtual Result<std::string> read_line(std::chrono::milliseconds timeout) = 0;
  // The last few KiB of its standard error.
  virtual std::string standard_error() = 0;
};

class ConversationStarter {
 public:
  virtual ~ConversationStarter() = default;
  // Uses argv, working directory and environment of `spec`. The child leads a process group of its
  // own and dies with us. An error means that it could not be started.
  virtual Result<std::unique_ptr<Conversation>> start(const ProcessSpec& spec) = 0;
};

std::unique_ptr<ConversationStarter> make_real_conversation_starter();

}  // namespace forge
