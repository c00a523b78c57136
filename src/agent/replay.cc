#include "agent/replay.h"

#include <fmt/format.h>

#include "agent/transcript.h"
#include "run/paths.h"

namespace forge {
namespace {

// What makes two turns the same question; numbers measured on another day are not part of it.
std::string question_of(const Json& brief) {
  const Json* task = brief.find("task");
  std::string text = task != nullptr ? task->dump() : "";
  if (const Json* milestone = brief.find("milestone")) text += milestone->dump();
  if (const Json* row = brief.find("row")) {
    if (const Json* id = row->find("id")) text += id->dump();
  }
  return text;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

Result<TurnOutcome> recorded_outcome(FileReader& fs, const Path& file) {
  FORGE_TRY(const std::string text, fs.read(file));
  FORGE_TRY(const Json json, parse_json(text, file.string()));
  const JsonReader reader(json, file.string());
  FORGE_TRY(const std::string name, reader.string("outcome"));
  FORGE_TRY(std::string note, reader.string("note"));
  TurnUsage usage;
  FORGE_TRY(usage.input_tokens, reader.integer("input_tokens"));
  FORGE_TRY(usage.output_tokens, reader.integer("output_tokens"));
  FORGE_TRY(usage.cost, reader.number("cost"));
  FORGE_TRY(usage.seconds, reader.number("seconds"));
  auto outcome = make_outcome(name, std::move(note), usage);
  if (!outcome) return reader.error("outcome", "must be done, passed or failed");
  return std::move(*outcome);
}

class ReplayBackend final : public Backend {
 public:
  ReplayBackend(Fs& fs, Path run) : fs_(fs), paths_(std::move(run)) {}

  std::string_view name() const override { return "replay"; }
  std::string model() const override {
    return fmt::format("a replay of {}", paths_.root().filename().string());
  }
  Sight sight() const override { return Sight::kWorkspace; }
  std::string boundary() const override {
    return "none needed: turns of another run are played back";
  }

  Result<std::string> check() override {
    if (fs_.exists(paths_.turn_outcome(1))) {
      return fmt::format("{} has turns", paths_.root().string());
    }
    return Error{ErrorKind::kNotFound, "cannot play back", paths_.root().string(),
                 "it has no recorded turn", "name a run's directory: run = \".artifacts/…\""};
  }

  Result<TurnOutcome> take_turn(const Turn& turn) override {
    if (!fs_.exists(paths_.turn_outcome(turn.number))) {
      return TurnOutcome(
          TurnFailed{fmt::format("{} has no turn {}", paths_.root().string(), turn.number), {}});
    }
    const Path brief_file = paths_.turn_brief(turn.number);
    FORGE_TRY(const std::string text, fs_.read(brief_file));
    FORGE_TRY(const Json brief, parse_json(text, brief_file.string()));
    if (question_of(brief) != question_of(turn.brief)) {
      return TurnOutcome(TurnFailed{
          fmt::format("turn {} of {} answers another question: {}, not {}", turn.number,
                      paths_.root().string(), question_of(brief), question_of(turn.brief)),
          {}});
    }
    FORGE_TRY_STATUS(write_files(turn));
    return recorded_outcome(fs_, paths_.turn_outcome(turn.number));
  }

 private:
  Status write_files(const Turn& turn) {
    const Path file = paths_.turn_transcript(turn.number);
    FORGE_TRY(const auto entries, read_transcript(fs_, file));
    for (const Json& entry : entries) {
      if (*entry.find("type")->as_string() != "left") continue;
      const JsonReader reader(entry, file.string());
      FORGE_TRY(const JsonReader files, reader.object("files"));
      FORGE_TRY_STATUS(files.require_object());
      for (const auto& [name, content] : *files.json().as_object()) {
        if (!is_plain_name(name) || content.as_string() == nullptr) {
          return files.error(name, "must be a file's name with its text");
        }
        FORGE_TRY_STATUS(
            fs_.write_atomic(turn.workspace / name, *content.as_string(), Durability::kScratch));
      }
    }
    return {};
  }

  Fs& fs_;
  RunPaths paths_;
};

}  // namespace

std::unique_ptr<Backend> make_replay_backend(Fs& fs, Path run) {
  return std::make_unique<ReplayBackend>(fs, std::move(run));
}

}  // namespace forge
