// The tool loop against a scripted server on loopback, by the real client: what servers do well and
// badly. Pauses are counted, not waited for.
#include "agent/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/scripted_server.h"
#include "sys/clock_fake.h"
#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

enum class Kind { kOpenAi, kAnthropic };

std::string sse(const std::string& data) { return "data: " + data + "\n\n"; }

Json string_json(const std::string& text) { return text; }

// One whole answer with a text and calls, as the server of each kind streams it, arguments in
// parts.
struct Call {
  std::string id;
  std::string tool;
  std::string arguments;
};
std::vector<std::string> openai_stream(const std::string& text, const std::vector<Call>& calls) {
  std::vector<std::string> pieces;
  pieces.push_back(": a comment\n\n");
  pieces.push_back(sse(R"({"choices":[{"delta":{"role":"assistant","content":)" +
                       string_json(text).dump() + "}}]}"));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string index = std::to_string(i);
    const auto half = calls[i].arguments.size() / 2;
    pieces.push_back(sse(R"({"choices":[{"delta":{"tool_calls":[{"index":)" + index + R"(,"id":)" +
                         string_json(calls[i].id).dump() + R"(,"function":{"name":)" +
                         string_json(calls[i].tool).dump() + R"(,"arguments":""}}]}}]})"));
    for (const std::string& part :
         {calls[i].arguments.substr(0, half), calls[i].arguments.substr(half)}) {
      pieces.push_back(sse(R"({"choices":[{"delta":{"tool_calls":[{"index":)" + index +
                           R"(,"function":{"arguments":)" + string_json(part).dump() + "}}]}}]}"));
    }
  }
  pieces.push_back(sse(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"));
  pieces.push_back(sse(R"({"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10,
"prompt_tokens_details":{"cached_tokens":60}}})"));
  // The line break inside the data above is a break of the event: sent as servers do, on one line.
  pieces.back().erase(pieces.back().find('\n'), 1);
  pieces.push_back(sse("[DONE]"));
  return pieces;
}

std::vector<std::string> anthropic_stream(const std::string& text, const std::vector<Call>& calls) {
  std::vector<std::string> pieces;
  pieces.push_back("event: message_start\n" +
                   sse(R"({"type":"message_start","message":{"usage":{"input_tokens":40,)"
                       R"("cache_read_input_tokens":60,"output_tokens":1}}})"));
  pieces.push_back(sse(R"({"type":"ping"})"));
  pieces.push_back(
      sse(R"({"type":"content_block_start","index":0,"content_block":{"type":"text"}})"));
  pieces.push_back(sse(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta",)"
                       R"("text":)" +
                       string_json(text).dump() + "}}"));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string index = std::to_string(i + 1);
    pieces.push_back(sse(R"({"type":"content_block_start","index":)" + index +
                         R"(,"content_block":{"type":"tool_use","id":)" +
                         string_json(calls[i].id).dump() + R"(,"name":)" +
                         string_json(calls[i].tool).dump() + "}}"));
    pieces.push_back(sse(R"({"type":"content_block_delta","index":)" + index +
                         R"(,"delta":{"type":"input_json_delta","partial_json":)" +
                         string_json(calls[i].arguments).dump() + "}}"));
  }
  pieces.push_back(sse(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},)"
                       R"("usage":{"output_tokens":10}})"));
  pieces.push_back(sse(R"({"type":"message_stop"})"));
  return pieces;
}

const Call kFinish{"call_end", "finish", R"({"outcome":"done","note":"wider loads"})"};

class ServerTest : public testing::TestWithParam<Kind> {
 protected:
  ServerTest() {
    fs_.add_file("turn/view/task/description.md", "what is computed");
    fs_.add_file("turn/view/work/kernel.cpp", "the kernel");
    settings_.backend = GetParam() == Kind::kOpenAi ? "openai" : "anthropic";
    settings_.model = "m1";
    settings_.minutes = 60;
    settings_.server.input_price = 1;
    settings_.server.cached_price = 0.1;
    settings_.server.output_price = 10;
  }

  ScriptedAnswer good(const std::vector<Call>& calls, const std::string& text = "") {
    ScriptedAnswer answer;
    answer.pieces =
        GetParam() == Kind::kOpenAi ? openai_stream(text, calls) : anthropic_stream(text, calls);
    return answer;
  }

  Result<TurnOutcome> take(std::vector<ScriptedAnswer> script) {
    ScriptedServer server(std::move(script));
    settings_.server.url = server.url();
    auto http = make_real_http_client();
    if (!http) return http.error();
    auto protocol =
        GetParam() == Kind::kOpenAi ? make_openai_protocol() : make_anthropic_protocol();
    const auto backend = make_server_backend(
        settings_, "sk-secret-12345", std::move(protocol),
        {fs_, processes_, clock_, std::move(*http), [this] { return interrupted_; },
         [this](milliseconds time) {
           pauses_.push_back(time);
           if (in_pause_) in_pause_();
         }});
    auto transcript = FileTranscript::open(fs_, "turn/transcript.jsonl", clock_, redactor_);
    Turn turn;
    turn.number = 1;
    turn.prompt = "the task";
    turn.view = "turn/view";
    turn.workspace = "turn/view/work";
    turn.record = "turn";
    turn.limits = limits_;
    turn.transcript = transcript->get();
    auto outcome = backend->take_turn(turn);
    requests_ = server.stop();
    return outcome;
  }
  std::string transcript() { return *fs_.read("turn/transcript.jsonl"); }

  FakeFs fs_;
  FakeClock clock_;
  Redactor redactor_;
  FakeProcessRunner processes_;
  AgentSettings settings_;
  TurnLimits limits_;
  bool interrupted_ = false;
  std::vector<milliseconds> pauses_;
  std::function<void()> in_pause_;
  std::vector<ScriptedServer::Request> requests_;
};

INSTANTIATE_TEST_SUITE_P(Protocols, ServerTest, testing::Values(Kind::kOpenAi, Kind::kAnthropic),
                         [](const auto& each) {
                           return each.param == Kind::kOpenAi ? "OpenAi" : "Anthropic";
                         });

TEST_P(ServerTest, ReadsWritesAndFinishesAndCountsTokensAndCost) {
  const auto outcome =
      take({good({{"a", "read", R"({"path":"task/description.md"})"}}, "I look."),
            good({{"b", "write", R"({"path":"work/kernel.cpp","content":"a wider kernel"})"}}),
            good({kFinish})});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(std::get<TurnDone>(*outcome).note, "wider loads");
  EXPECT_EQ(*fs_.read("turn/view/work/kernel.cpp"), "a wider kernel");
  ASSERT_EQ(requests_.size(), 3u);
  EXPECT_THAT(requests_[1].body, HasSubstr("what is computed")) << "the file came back";
  EXPECT_EQ(usage_of(*outcome).input_tokens, 300);
  EXPECT_EQ(usage_of(*outcome).output_tokens, 30);
  EXPECT_NEAR(usage_of(*outcome).cost, 3 * (40 + 6 + 100) / 1e6, 1e-12);
  EXPECT_THAT(transcript(), AllOf(HasSubstr("\"tool_call\""), HasSubstr("\"tool_result\""),
                                  HasSubstr("I look."), HasSubstr("\"usage\"")));
}

TEST_P(ServerTest, TheKeyGoesIntoAHeaderAndNowhereElse) {
  ASSERT_TRUE(take({good({kFinish})}));
  EXPECT_THAT(requests_[0].head, HasSubstr("sk-secret-12345"));
  EXPECT_THAT(requests_[0].body, Not(HasSubstr("sk-secret")));
  EXPECT_THAT(transcript(), Not(HasSubstr("sk-secret")));
  if (GetParam() == Kind::kAnthropic) {
    EXPECT_THAT(requests_[0].body, HasSubstr(R"("cache_control":{"type":"ephemeral"})"));
  }
}

TEST_P(ServerTest, RateLimitsAndOverloadsAreWaitedOut) {
  ScriptedAnswer limited{429, "Retry-After: 7\r\n", {R"({"error":{"message":"slow down"}})"}};
  ScriptedAnswer overloaded{529, "", {"busy"}};
  ASSERT_TRUE(take({limited, overloaded, overloaded, good({kFinish})}));
  EXPECT_THAT(pauses_, ElementsAre(milliseconds(7000), milliseconds(2000), milliseconds(4000)));
  EXPECT_THAT(transcript(), HasSubstr("slow down"));
}

TEST_P(ServerTest, AnAnswerThatIsCutOrStallsIsAskedForAgain) {
  settings_.server.stall_seconds = 1;
  ScriptedAnswer cut = good({kFinish});
  cut.pieces.resize(2);
  cut.end = ScriptedAnswer::End::kCut;
  ScriptedAnswer stalled = cut;
  stalled.end = ScriptedAnswer::End::kStall;
  ScriptedAnswer short_but_whole = good({kFinish});
  short_but_whole.pieces.resize(2);
  ASSERT_TRUE(take({cut, stalled, short_but_whole, good({kFinish})}));
  EXPECT_EQ(requests_.size(), 4u);
  EXPECT_EQ(requests_[0].body, requests_[3].body) << "nothing of a half answer is kept";
}

TEST_P(ServerTest, WhatNoRepetitionCuresEndsTheDriverAtOnceWithTheServersWords) {
  const auto outcome = take({{401, "", {R"({"error":{"message":"invalid key"}})"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().message(), AllOf(HasSubstr("status 401"), HasSubstr("invalid key"),
                                               Not(HasSubstr("sk-secret"))));
  EXPECT_TRUE(pauses_.empty());
}

TEST_P(ServerTest, AServerThatStaysAwayEndsTheDriverAfterAllRetries) {
  settings_.server.retries = 3;
  const auto outcome = take({{503, "", {"down"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kInfrastructure);
  EXPECT_EQ(requests_.size(), 4u);
}

TEST_P(ServerTest, AnInterruptionDuringAPauseEndsTheWait) {
  in_pause_ = [this] { interrupted_ = true; };
  const auto outcome = take({{503, "", {"down"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kInterrupted);
}

TEST_P(ServerTest, BadCallsAreAnsweredAndTheTurnGoesOn) {
  const auto outcome =
      take({good({{"a", "read", "{\"path\": "},
                  {"b", "read", "[]"},
                  {"c", "no_such_tool", "{}"},
                  {"d", "write", R"({"path":"task/description.md","content":"x"})"},
                  {"e", "read", R"({"path":"../outcome.json"})"},
                  {"f", "read", R"({"path":"/etc/passwd"})"},
                  {"g", "write", R"({"path":"work/../task/x","content":"x"})"},
                  {"h", "read", ""}}),
            good({kFinish})});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(*fs_.read("turn/view/task/description.md"), "what is computed");
  EXPECT_THAT(transcript(), Not(HasSubstr(R"("refused":false,"text":"wrote)")));
  for (const char* part : {"no tool 'no_such_tool'", "must stay in the task's folder",
                           "must be below work/", "'path' is missing"}) {
    EXPECT_THAT(requests_[1].body, HasSubstr(part));
  }
}

TEST_P(ServerTest, RepeatedAndMissingIdsBecomeDifferentOnes) {
  ASSERT_TRUE(take({good({{"same", "list", "{}"}, {"same", "list", "{}"}, {"", "list", "{}"}}),
                    good({{"same", "list", "{}"}}), good({kFinish})}));
  const auto entries = read_transcript(fs_, "turn/transcript.jsonl");
  std::set<std::string> ids;
  int calls = 0;
  for (const Json& entry : *entries) {
    if (*entry.find("type")->as_string() != "tool_call") continue;
    ++calls;
    ids.insert(*entry.find("id")->as_string());
  }
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(ids.size(), 5u);
}

TEST_P(ServerTest, BytesThatAreNotUtf8AreAskedForAgainAndNeverSentBack) {
  ScriptedAnswer bad = good({kFinish}, "x");
  for (std::string& piece : bad.pieces) {
    if (const auto at = piece.find("\"x\""); at != std::string::npos)
      piece.replace(at + 1, 1, "\xff\xfe");
  }
  ASSERT_TRUE(take({bad, good({kFinish})}));
  EXPECT_EQ(requests_.size(), 2u);
  EXPECT_THAT(requests_[1].body, Not(HasSubstr("\xff")));
}

TEST_P(ServerTest, AnAnswerWithoutEndIsGivenUpBeforeItFillsTheMemory) {
  settings_.server.retries = 0;
  ScriptedAnswer endless;
  endless.pieces.assign(200, std::string(100'000, 'x'));  // one line of 20 MB
  EXPECT_THAT(take({endless}).error().message(), HasSubstr("longer than 8 MiB"));
  ScriptedAnswer huge =
      good({{"a", "write", "{\"content\":\"" + std::string(9 << 20, 'x') + "\"}"}});
  EXPECT_FALSE(take({huge}));
}

TEST_P(ServerTest, AModelThatCallsNoToolIsToldSoAndThenTheTurnEnds) {
  const auto outcome = take({good({}, "I think about it.")});
  ASSERT_TRUE(outcome);
  EXPECT_THAT(std::get<TurnDone>(*outcome).note, HasSubstr("I think about it."));
  EXPECT_EQ(requests_.size(), 4u);
  EXPECT_THAT(requests_[1].body, HasSubstr("No tool was called"));
}

TEST_P(ServerTest, ALimitOfCallsOrTokensEndsTheTurnWithWhatIsThere) {
  settings_.server.calls = 3;
  const auto outcome = take({good({{"a", "list", "{}"}})});
  EXPECT_EQ(std::get<TurnDone>(*outcome).note, "ended after 3 calls of tools");
  settings_.server.calls = 100;
  limits_.tokens = 250;
  EXPECT_EQ(std::get<TurnDone>(*take({good({{"a", "list", "{}"}})})).note,
            "ended after 330 tokens");
}

TEST_P(ServerTest, ACheckAsksForAFewWordsWithoutTools) {
  ScriptedServer server({good({}, "Yes.")});
  settings_.server.url = server.url();
  auto http = make_real_http_client();
  ASSERT_TRUE(http);
  auto protocol = GetParam() == Kind::kOpenAi ? make_openai_protocol() : make_anthropic_protocol();
  const auto backend = make_server_backend(
      settings_, "sk-secret-12345", std::move(protocol),
      {fs_, processes_, clock_, std::move(*http), [] { return false; }, [](milliseconds) {}});
  const auto checked = backend->check();
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_THAT(*checked, HasSubstr("m1 answers"));
  const auto requests = server.stop();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_THAT(requests[0].body, AllOf(HasSubstr("\"max_tokens\":16"), Not(HasSubstr("tools"))));
}

// 200 calls that each read 100 KB: what is sent stays within the context.
TEST_P(ServerTest, ALongTurnStaysWithinItsContext) {
  fs_.add_file("turn/view/task/large.txt", std::string(100'000, 'l'));
  settings_.server.context_tokens = 120'000;
  settings_.server.calls = 1000;
  std::vector<ScriptedAnswer> script(200, good({{"a", "read", R"({"path":"task/large.txt"})"}}));
  script.push_back(good({kFinish}));
  ASSERT_TRUE(take(script));
  ASSERT_EQ(requests_.size(), 201u);
  std::size_t largest = 0;
  for (const auto& request : requests_) largest = std::max(largest, request.body.size());
  EXPECT_LT(largest, 120'000u * 3 + 200'000);
  EXPECT_GT(largest, 200'000u);
}

TEST(PauseBefore, DoublesUpToAMinuteUnlessTheServerAsksForMore) {
  EXPECT_EQ(pause_before(1, {}), milliseconds(1000));
  EXPECT_EQ(pause_before(4, {}), milliseconds(8000));
  EXPECT_EQ(pause_before(50, {}), milliseconds(60'000));
  EXPECT_EQ(pause_before(1, {429, {{"retry-after", "90"}}}), milliseconds(90'000));
  EXPECT_EQ(pause_before(1, {429, {{"retry-after", "1e99"}}}), milliseconds(300'000));
  EXPECT_EQ(pause_before(2, {429, {{"retry-after", "soon"}}}), milliseconds(2000));
  EXPECT_EQ(pause_before(1, {429, {{"retry-after", "-5"}}}), milliseconds(1000));
}

TEST(TrimChat, KeepsTheTaskAndTheLastAnswers) {
  Chat chat;
  chat.messages.emplace_back(UserSaid{std::string(3000, 't')});
  for (int i = 0; i < 10; ++i) {
    chat.messages.emplace_back(ModelSaid{"", {{std::to_string(i), "read", "{}"}}});
    chat.messages.emplace_back(ToolSaid{std::to_string(i), std::string(3000, 'r')});
  }
  EXPECT_TRUE(trim_chat(chat, 3000));
  EXPECT_LE(estimated_tokens(chat), 3000);
  EXPECT_EQ(std::get<UserSaid>(chat.messages.front()).text.size(), 3000u);
  EXPECT_EQ(std::get<ToolSaid>(chat.messages.back()).text.size(), 3000u);
  EXPECT_THAT(std::get<ToolSaid>(chat.messages[2]).text, HasSubstr("left out"));
  EXPECT_FALSE(trim_chat(chat, 100));
}

}  // namespace
}  // namespace forge
