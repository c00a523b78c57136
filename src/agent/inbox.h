// Turns that a person or another program takes: the turn lies in its folder until it is answered.
// May know: base, sys. Format: docs/formats/turn.md.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/backend.h"
#include "sys/fs.h"

namespace forge {

struct InboxWaiting {
  std::function<bool()> interrupted;
  std::function<void(std::chrono::milliseconds)> pause;
};
std::unique_ptr<Backend> make_inbox_backend(Fs& fs, InboxWaiting waiting);

// A turn that waits for an answer.
struct OpenTurn {
  Path folder;
  Path view;
  Path workspace;
  Role role = Role::kStudent;
};
// Of a turn's folder; nothing if it is no inbox's or is answered.
Result<std::optional<OpenTurn>> find_open_turn(FileReader& fs, const Path& folder);

struct InboxAnswer {
  std::string outcome;  // "done", "passed", "failed"
  std::string words;
};
Status answer_turn(Fs& fs, const OpenTurn& turn, const InboxAnswer& answer);

}  // namespace forge
