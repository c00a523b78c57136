#include "driver/turn_taker.h"

#include "base/text.h"
#include "run/deny_list.h"

namespace forge {
namespace {

constexpr std::size_t kMaxNoteBytes = 2000;

std::string_view outcome_name(const TurnOutcome& outcome) {
  if (std::holds_alternative<TurnDone>(outcome)) return "done";
  return std::holds_alternative<TurnPassed>(outcome) ? "passed" : "failed";
}

std::string words_of(const TurnOutcome& outcome) {
  if (const auto* done = std::get_if<TurnDone>(&outcome)) return done->note;
  if (const auto* passed = std::get_if<TurnPassed>(&outcome)) return passed->reason;
  return std::get<TurnFailed>(outcome).reason;
}

TurnNote note_of(int number, const TurnOutcome& outcome) {
  const auto& usage =
      std::visit([](const auto& kind) -> const TurnUsage& { return kind.usage; }, outcome);
  return {number,
          clip(printable(words_of(outcome)), kMaxNoteBytes),
          {usage.input_tokens, usage.output_tokens, usage.cost, usage.seconds}};
}

Json outcome_json(std::string_view backend, Role role, const TurnOutcome& outcome,
                  const TurnNote& note) {
  Json json = Json::object();
  json.set("role", role_name(role));
  json.set("backend", backend);
  json.set("outcome", outcome_name(outcome));
  json.set("note", note.note);
  json.set("input_tokens", note.usage.input_tokens);
  json.set("output_tokens", note.usage.output_tokens);
  json.set("cost", note.usage.cost);
  json.set("seconds", note.usage.seconds);
  return json;
}

}  // namespace

Result<TakenTurn> take_turn(DriverContext& context, const RunPaths& paths,
                            const TurnRequest& request) {
  auto& fs = context.fs;
  // What an interrupted attempt at the same turn left.
  FORGE_TRY_STATUS(fs.remove_all(paths.turn(request.number)));
  FORGE_TRY_STATUS(fs.make_directories(paths.turn(request.number)));
  FORGE_TRY_STATUS(fs.make_directories(request.workspace));
  FORGE_TRY_STATUS(fs.write_atomic(paths.turn_prompt(request.number), request.prompt));
  FORGE_TRY_STATUS(
      fs.write_atomic(paths.turn_brief(request.number), request.brief.dump_pretty() + "\n"));

  Turn turn;
  turn.number = request.number;
  turn.role = request.role;
  turn.prompt = request.prompt;
  turn.brief = request.brief;
  turn.workspace = request.workspace;
  turn.readable = request.readable;
  turn.denied = request.denied;
  FORGE_CHECK(first_denied(turn.readable, turn.denied) == nullptr);
  FORGE_CHECK(first_denied({turn.workspace}, turn.denied) == nullptr);
  TakenTurn taken;
  FORGE_TRY(taken.outcome, context.backend.take_turn(turn));
  taken.note = note_of(request.number, taken.outcome);
  const auto record = outcome_json(context.backend.name(), request.role, taken.outcome, taken.note);
  FORGE_TRY_STATUS(
      fs.write_atomic(paths.turn_outcome(request.number), record.dump_pretty() + "\n"));
  return taken;
}

}  // namespace forge
