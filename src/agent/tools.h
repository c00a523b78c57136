// What an agent without hands of its own can do in a turn: look at its view, write in its
// workspace, compile, end the turn. Every path is checked. May know: base, sys, target, backend.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/backend.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

struct ToolDefinition {
  std::string name;
  std::string description;
  Json schema;  // of its arguments, JSON Schema
};

enum class ToolEnd { kDone, kRefused };
struct ToolAnswer {
  std::string text;
  ToolEnd end = ToolEnd::kDone;
};

class Toolbox {
 public:
  struct Place {
    Path view;
    Path workspace;  // below the view
    Path scratch;    // for what compiling leaves; not below the view
    Role role = Role::kStudent;
    Json build;  // of the brief: how the kernel is compiled
  };
  Toolbox(Place place, Fs& fs, ProcessRunner& processes)
      : place_(std::move(place)), fs_(fs), processes_(processes) {}

  std::vector<ToolDefinition> definitions() const;
  // What is wrong with a call is for the caller to correct, so that it is an answer; an error is
  // the machinery's.
  Result<ToolAnswer> call(std::string_view tool, const Json& arguments);
  // Set by the tool that ends the turn.
  const std::optional<TurnOutcome>& outcome() const { return outcome_; }

 private:
  Result<ToolAnswer> list(const JsonReader& arguments);
  Result<ToolAnswer> read(const JsonReader& arguments);
  Result<ToolAnswer> search(const JsonReader& arguments);
  Result<ToolAnswer> write(const JsonReader& arguments);
  Result<ToolAnswer> replace(const JsonReader& arguments);
  Result<ToolAnswer> compile(const JsonReader& arguments);
  Result<ToolAnswer> finish(const JsonReader& arguments);

  // A file's or folder's place; an error that may be shown says why it is out of bounds.
  enum class Access { kRead, kWrite };
  Result<Path> checked(const JsonReader& arguments, Access access) const;

  Place place_;
  Fs& fs_;
  ProcessRunner& processes_;
  std::optional<TurnOutcome> outcome_;
};

}  // namespace forge
