// What others write into a turn's folder or say to its tools: transcripts, answers of an inbox,
// records that are played back, MCP messages. Nothing crashes, and nothing is written outside the
// workspace.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "agent/command.h"
#include "agent/inbox.h"
#include "agent/mcp.h"
#include "agent/replay.h"
#include "base/error.h"
#include "sys/fs_fake.h"
#include "sys/process_fake.h"

using forge::FakeFs;

namespace {

void play_back(std::string_view text) {
  FakeFs fs;
  fs.add_file("run/turns/0001/transcript.jsonl", text);
  fs.add_file("run/turns/0001/brief.json", "{}");
  fs.add_file("run/turns/0001/outcome.json",
              R"({"outcome":"done","note":"","input_tokens":0,"output_tokens":0,"cost":0,)"
              R"("seconds":0})");
  FORGE_CHECK(fs.make_directories("w/work"));
  forge::Turn turn;
  turn.number = 1;
  turn.brief = forge::Json::object();
  turn.workspace = "w/work";
  const auto outcome = forge::make_replay_backend(fs, "run")->take_turn(turn);
  if (!outcome) FORGE_CHECK(outcome.error().message().find('\n') == std::string::npos);
  FORGE_CHECK(fs.list("w")->size() == 1 && fs.list(".")->size() == 2);
}

void answer_inbox(std::string_view text) {
  FakeFs fs;
  fs.add_file("turn/answer.json", text);
  fs.add_file("other/inbox.json", text);
  forge::Turn turn;
  turn.record = "turn";
  const auto outcome = forge::make_inbox_backend(fs, {})->take_turn(turn);
  if (!outcome) FORGE_CHECK(outcome.error().message().find('\n') == std::string::npos);
  static_cast<void>(forge::find_open_turn(fs, "other").has_value());
}

void say_to_tools(std::string_view text) {
  FakeFs fs;
  forge::FakeProcessRunner processes;
  fs.add_file("view/work/kernel.cpp", "the kernel");
  fs.add_file("view/task/description.md", "what is computed");
  forge::Toolbox tools({"view", "view/work", "scratch", forge::Role::kStudent, {}}, fs, processes);
  forge::McpServer server(tools, "1");
  static_cast<void>(server.answer(text).has_value());
  FORGE_CHECK(*fs.read("view/task/description.md") == "what is computed");
  FORGE_CHECK(fs.list("view")->size() == 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  play_back(text);
  answer_inbox(text);
  say_to_tools(text);
  FORGE_CHECK(forge::usage_in_line(text).input_tokens >= 0);
  return 0;
}
