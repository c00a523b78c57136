#include "agent/inbox.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/interrupt.h"

namespace forge {
namespace {

constexpr std::string_view kWaitingFile = "inbox.json";
constexpr std::string_view kAnswerFile = "answer.json";
constexpr std::chrono::milliseconds kLook{500};

Result<TurnOutcome> parse_answer(std::string_view text, const std::string& file) {
  FORGE_TRY(const Json json, parse_json(text, file));
  const JsonReader reader(json, file);
  FORGE_TRY_STATUS(reader.only_keys({"format", "outcome", "words"}));
  FORGE_TRY(const std::string name, reader.string("outcome"));
  FORGE_TRY(std::string words, reader.string("words"));
  auto outcome = make_outcome(name, std::move(words), {});
  if (!outcome) return reader.error("outcome", "must be done, passed or failed");
  return std::move(*outcome);
}

class InboxBackend final : public Backend {
 public:
  InboxBackend(Fs& fs, InboxWaiting waiting) : fs_(fs), waiting_(std::move(waiting)) {}

  std::string_view name() const override { return "inbox"; }
  std::string model() const override { return "whoever answers the inbox"; }
  Leftovers leftovers() const override { return Leftovers::kKeep; }
  // A person, or a program that we did not start, can open whatever it likes.
  std::string boundary() const override { return std::string(kAdvisory); }

  Result<std::string> check() override {
    return std::string("turns wait for forge turn; nothing enforces what is looked at");
  }

  Result<TurnOutcome> take_turn(const Turn& turn) override {
    const Path answer = turn.record / kAnswerFile;
    if (!fs_.exists(answer)) FORGE_TRY_STATUS(open(turn));
    while (!fs_.exists(answer)) {
      if (waiting_.interrupted()) return interrupted_error(fmt::format("turn {}", turn.number));
      waiting_.pause(kLook);
    }
    FORGE_TRY(const std::string text, fs_.read(answer));
    return parse_answer(text, answer.string());
  }

 private:
  Status open(const Turn& turn) {
    Json json = Json::object();
    json.set("format", 1);
    json.set("role", role_name(turn.role));
    json.set("view", turn.view.filename().string());
    json.set("workspace", turn.workspace.lexically_relative(turn.view).generic_string());
    FORGE_TRY_STATUS(fs_.write_atomic(turn.record / kWaitingFile, json.dump() + "\n"));
    if (turn.notice) {
      turn.notice(fmt::format("turn {} ({}) waits in {}; when it is done: forge turn done",
                              turn.number, role_name(turn.role), turn.view.string()));
    }
    return {};
  }

  Fs& fs_;
  InboxWaiting waiting_;
};

}  // namespace

std::unique_ptr<Backend> make_inbox_backend(Fs& fs, InboxWaiting waiting) {
  return std::make_unique<InboxBackend>(fs, std::move(waiting));
}

Result<std::optional<OpenTurn>> find_open_turn(FileReader& fs, const Path& folder) {
  const Path file = folder / kWaitingFile;
  if (!fs.exists(file) || fs.exists(folder / kAnswerFile)) return std::optional<OpenTurn>();
  FORGE_TRY(const std::string text, fs.read(file));
  FORGE_TRY(const Json json, parse_json(text, file.string()));
  const JsonReader reader(json, file.string());
  FORGE_TRY_STATUS(reader.only_keys({"format", "role", "view", "workspace"}));
  FORGE_TRY(const std::string role, reader.string("role"));
  FORGE_TRY(const std::string view, reader.string("view"));
  FORGE_TRY(const std::string workspace, reader.string("workspace"));
  const auto parsed = parse_role(role);
  if (!parsed) return reader.error("role", "is no role");
  return std::optional<OpenTurn>(
      OpenTurn{folder, folder / view, folder / view / workspace, *parsed});
}

Status answer_turn(Fs& fs, const OpenTurn& turn, const InboxAnswer& answer) {
  FORGE_CHECK(make_outcome(answer.outcome, "", {}).has_value());
  Json json = Json::object();
  json.set("format", 1);
  json.set("outcome", answer.outcome);
  json.set("words", printable(answer.words));
  return fs.write_atomic(turn.folder / kAnswerFile, json.dump() + "\n");
}

}  // namespace forge
