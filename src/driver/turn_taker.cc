#include "driver/turn_taker.h"

#include <fmt/format.h>

#include "base/text.h"

namespace forge {
namespace {

constexpr std::size_t kMaxNoteBytes = 2000;
constexpr std::uint64_t kMaxFileBytes = 1 << 20;
constexpr std::size_t kMaxFiles = 64;

using Files = std::map<std::string, std::string>;

TurnNote note_of(int number, const TurnOutcome& outcome, const Redactor& redactor) {
  const TurnUsage& usage = usage_of(outcome);
  return {number,
          clip(printable(redactor.clean(words_of(outcome))), kMaxNoteBytes),
          {usage.input_tokens, usage.output_tokens, usage.cost, usage.seconds}};
}

Json outcome_json(Backend& backend, Role role, const TurnOutcome& outcome, const TurnNote& note) {
  Json json = Json::object();
  json.set("role", role_name(role));
  json.set("backend", backend.name());
  json.set("model", backend.model());
  json.set("outcome", outcome_name(outcome));
  json.set("note", note.note);
  json.set("input_tokens", note.usage.input_tokens);
  json.set("output_tokens", note.usage.output_tokens);
  json.set("cost", note.usage.cost);
  json.set("seconds", note.usage.seconds);
  return json;
}

// The same turn as the one whose folder is there, begun by a driver that was interrupted.
bool goes_on(Fs& fs, const RunPaths& paths, const TurnRequest& request, const std::string& brief) {
  if (!fs.is_directory(paths.turn_view(request.number))) return false;
  const auto kept = fs.read(paths.turn_brief(request.number));
  return kept && *kept == brief;
}

Status prepare_folder(Fs& fs, const RunPaths& paths, const TurnRequest& request,
                      const Backend& backend) {
  const std::string brief = request.brief.dump_pretty() + "\n";
  if (backend.leftovers() == Leftovers::kKeep && goes_on(fs, paths, request, brief)) return {};
  FORGE_TRY_STATUS(fs.remove_all(paths.turn(request.number)));
  FORGE_TRY_STATUS(fs.make_directories(paths.turn(request.number)));
  FORGE_TRY_STATUS(fs.write_atomic(paths.turn_prompt(request.number), request.prompt));
  FORGE_TRY_STATUS(fs.write_atomic(paths.turn_brief(request.number), brief));
  ViewPlan plan = request.view;
  plan.shown.push_back({"", request.prompt, kPromptFile});
  plan.shown.push_back({"", brief, kBriefFile});
  // Work that is kept over an interruption must outlast a power cut too.
  const auto durability =
      backend.leftovers() == Leftovers::kKeep ? Durability::kSynced : Durability::kScratch;
  return lay_out(fs, plan, backend.sight(), durability, paths.turn_view(request.number));
}

bool is_taken(Role role, const std::string& name) {
  return role == Role::kStudent ? name == kKernelFile : name.ends_with(".toml");
}

// Why a file that the agent left can't be taken; empty: it can.
std::string why_not_taken(const FileFacts& facts) {
  switch (facts.kind) {
    case FileKind::kFile:
      if (facts.bytes <= kMaxFileBytes) return "";
      return fmt::format("it has {}, more than {}", format_bytes(static_cast<double>(facts.bytes)),
                         format_bytes(static_cast<double>(kMaxFileBytes)));
    case FileKind::kLink:
      return "it is a symbolic link";
    case FileKind::kShared:
      return "it is a hard link to a file elsewhere";
    case FileKind::kFolder:
      return "it is a folder";
    case FileKind::kNothing:
    case FileKind::kOther:
      break;
  }
  return "it is no regular file";
}

TurnFailed not_taken(const std::string& what, const std::string& why, const TurnUsage& usage) {
  return {fmt::format("cannot take {} from the turn: {}", what, why), usage};
}

// What a done turn left. If something about it is wrong, the turn has failed.
Result<TurnOutcome> take_left(DriverContext& context, const RunPaths& paths,
                              const TurnRequest& request, TurnOutcome outcome, Files& left) {
  auto& fs = context.fs;
  const TurnUsage usage = usage_of(outcome);
  for (const Path& folder :
       {paths.turn_view(request.number), paths.turn_workspace(request.number)}) {
    if (fs.look_at(folder).kind == FileKind::kFolder) continue;
    return TurnOutcome(not_taken(folder.filename().string(), "it is no folder any more", usage));
  }
  const Path workspace = paths.turn_workspace(request.number);
  FORGE_TRY(const auto names, fs.list(workspace));
  for (const std::string& name : names) {
    if (!is_taken(request.role, name)) continue;
    std::string why = why_not_taken(fs.look_at(workspace / name));
    if (left.size() == kMaxFiles) why = fmt::format("there are more than {} files", kMaxFiles);
    if (!why.empty()) return TurnOutcome(not_taken(printable(name), why, usage));
    FORGE_TRY(std::string text, fs.read(workspace / name));
    if (context.redactor.holds_secret(text)) {
      return TurnOutcome(not_taken(printable(name), "it holds a key from the environment", usage));
    }
    left.emplace(name, std::move(text));
  }
  return outcome;
}

// Texts that are not UTF-8 can't be written down as they are, so that such a turn is not replayed.
Json left_json(const Files& left) {
  Json files = Json::object();
  Json omitted = Json::array();
  for (const auto& [name, text] : left) {
    if (is_utf8(text) && is_utf8(name)) {
      files.set(name, text);
    } else {
      omitted.push_back(printable(name));
    }
  }
  Json json = Json::object();
  json.set("files", std::move(files));
  if (!omitted.as_array()->empty()) json.set("not_recorded", std::move(omitted));
  return json;
}

Json prompt_json(const TurnRequest& request, Backend& backend) {
  Json json = Json::object();
  json.set("turn", request.number);
  json.set("role", role_name(request.role));
  json.set("backend", backend.name());
  json.set("model", backend.model());
  json.set("boundary", backend.boundary());
  json.set("text", printable(request.prompt));
  return json;
}

Turn make_turn(DriverContext& context, const RunPaths& paths, const TurnRequest& request,
               Transcript& transcript) {
  Turn turn;
  turn.number = request.number;
  turn.role = request.role;
  turn.prompt = request.prompt;
  turn.brief = request.brief;
  turn.view = paths.turn_view(request.number);
  turn.workspace = paths.turn_workspace(request.number);
  turn.record = paths.turn(request.number);
  turn.denied = request.view.denied;
  turn.denied.push_back(paths.root());
  turn.limits = request.limits;
  turn.transcript = &transcript;
  turn.notice = [&context](std::string_view text) { context.progress.notice(text); };
  return turn;
}

void set_seconds(TurnOutcome& outcome, double seconds) {
  std::visit(
      [&](auto& kind) {
        if (kind.usage.seconds == 0) kind.usage.seconds = seconds;
      },
      outcome);
}

}  // namespace

Result<TakenTurn> take_turn(DriverContext& context, const RunPaths& paths,
                            const TurnRequest& request) {
  auto& fs = context.fs;
  Backend& backend = context.agent_of(request.role);
  FORGE_TRY_STATUS(prepare_folder(fs, paths, request, backend));
  FORGE_TRY(auto transcript, FileTranscript::open(fs, paths.turn_transcript(request.number),
                                                  context.clock, context.redactor));
  FORGE_TRY_STATUS(transcript->add("prompt", prompt_json(request, backend)));
  const auto begin_ns = context.clock.monotonic_ns();
  TakenTurn taken;
  FORGE_TRY(taken.outcome, backend.take_turn(make_turn(context, paths, request, *transcript)));
  set_seconds(taken.outcome, static_cast<double>(context.clock.monotonic_ns() - begin_ns) / 1e9);
  if (std::holds_alternative<TurnDone>(taken.outcome)) {
    FORGE_TRY(taken.outcome,
              take_left(context, paths, request, std::move(taken.outcome), taken.left));
  }
  taken.note = note_of(request.number, taken.outcome, context.redactor);
  const Json record = outcome_json(backend, request.role, taken.outcome, taken.note);
  FORGE_TRY_STATUS(transcript->add("left", left_json(taken.left)));
  FORGE_TRY_STATUS(transcript->add("outcome", record));
  FORGE_TRY_STATUS(transcript->sync());
  FORGE_TRY_STATUS(
      fs.write_atomic(paths.turn_outcome(request.number), record.dump_pretty() + "\n"));
  return taken;
}

}  // namespace forge
