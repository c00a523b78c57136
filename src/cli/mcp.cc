// forge mcp VIEW: the tools of a turn as an MCP server over standard input and output. It is
// started by whoever takes the turn, inside the same confinement.
#include "agent/mcp.h"

#include <unistd.h>

#include <iostream>

#include "cli/cache_folder.h"
#include "cli/exit_code.h"
#include "cli/subcommands.h"
#include "cli/version.h"
#include "run/paths.h"
#include "sys/making_folder.h"

namespace forge {
namespace {

Result<Toolbox::Place> place_of(const Path& view, const Path& scratch, FileReader& fs) {
  const Path file = view / kBriefFile;
  if (!fs.exists(file)) {
    return Error{ErrorKind::kNotFound, "cannot offer tools in", view.string(),
                 "it is no turn's folder", "name one: forge turn list shows those that wait"};
  }
  FORGE_TRY(const std::string text, fs.read(file));
  FORGE_TRY(const Json brief, parse_json(text, file.string()));
  const JsonReader reader(brief, file.string());
  FORGE_TRY(const std::string task, reader.string("task"));
  const Json* build = brief.find("build");
  return Toolbox::Place{view, view / kWorkFolder, scratch,
                        task == "milestones" ? Role::kTeacher : Role::kStudent,
                        build == nullptr ? Json::object() : *build};
}

// How an agent that is a program says what became of its turn.
Status leave_note(const TurnOutcome& outcome, const Path& view, Fs& fs) {
  std::string note = words_of(outcome) + "\n";
  if (std::holds_alternative<TurnPassed>(outcome)) note = "pass: " + note;
  if (std::holds_alternative<TurnFailed>(outcome)) note = "fail: " + note;
  return fs.write_atomic(view / kWorkFolder / kNoteFile, note, Durability::kScratch);
}

}  // namespace

Result<int> run_mcp(const McpOptions& options, Context& context) {
  const Path parent = context.environment("TMPDIR").value_or("/tmp");
  FORGE_TRY(const auto scratch, MakingFolder::open(context.fs, parent, "forge mcp"));
  FORGE_TRY(auto place, place_of(options.view, scratch.path(), context.fs));
  Toolbox tools(std::move(place), context.fs, context.processes);
  McpServer server(tools, version_text());
  for (std::string line; std::getline(std::cin, line);) {
    FORGE_TRY(const auto answer, server.answer(line));
    if (answer) context.out << *answer << '\n' << std::flush;
    if (tools.outcome()) FORGE_TRY_STATUS(leave_note(*tools.outcome(), options.view, context.fs));
  }
  return kExitOk;
}

}  // namespace forge
