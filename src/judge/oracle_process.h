// The child that runs an oracle: started when first needed, asked one thing at a time, gone after
// its first failure to answer. May know: base, sys, oracle.h.
#pragma once

#include <memory>
#include <string>

#include "judge/oracle.h"
#include "judge/oracle_protocol.h"

namespace forge {

class OracleProcess {
 public:
  OracleProcess(OracleLaunch launch, Fs& fs, ProcessRunner& processes,
                ConversationStarter& conversations);

  // Starts it unless it runs, and returns what it says of itself. Compiles a C++ oracle first.
  Result<OracleGreeting> greet();
  // Requires that it greeted. Returns what follows "ok"; `attempt` begins the error's text.
  Result<std::string> ask(const std::string& request, std::string_view attempt);

 private:
  Result<std::vector<std::string>> command_line();
  Result<std::string> compiled();
  Result<OracleGreeting> read_greeting();
  // Ends the child. The error says what it did, with the last line that it wrote to stderr.
  Error failed(std::string_view attempt, Error error);

  OracleLaunch launch_;
  Fs& fs_;
  ProcessRunner& processes_;
  ConversationStarter& conversations_;
  std::unique_ptr<Conversation> child_;
  OracleGreeting greeting_;
};

}  // namespace forge
