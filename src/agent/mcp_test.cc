#include "agent/mcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/fs_fake.h"
#include "sys/process_fake.h"

namespace forge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class McpTest : public testing::Test {
 protected:
  McpTest() { fs_.add_file("view/work/kernel.cpp", "the kernel"); }
  // "" where nothing is answered.
  std::string say(std::string_view line) {
    const auto answer = server_.answer(line);
    EXPECT_TRUE(answer);
    return answer && *answer ? **answer : "";
  }

  FakeFs fs_;
  FakeProcessRunner processes_;
  Toolbox tools_{{"view", "view/work", "scratch", Role::kStudent, Json::object()}, fs_, processes_};
  McpServer server_{tools_, "1.0"};
};

TEST_F(McpTest, IntroducesItselfInTheVersionItIsAskedFor) {
  EXPECT_THAT(say(R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                  R"("params":{"protocolVersion":"2024-11-05"}})"),
              AllOf(HasSubstr(R"("id":1)"), HasSubstr("2024-11-05"), HasSubstr(R"("tools":{})")));
  EXPECT_EQ(say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(say(R"({"jsonrpc":"2.0","id":"a","method":"ping"})"),
            R"({"jsonrpc":"2.0","id":"a","result":{}})");
  EXPECT_EQ(say("  "), "");
}

TEST_F(McpTest, ListsAndCallsTheToolsOfTheTurn) {
  EXPECT_THAT(say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"),
              AllOf(HasSubstr("\"read\""), HasSubstr("inputSchema"), HasSubstr("\"compile\"")));
  EXPECT_THAT(say(R"({"jsonrpc":"2.0","id":2,"method":"tools/call",)"
                  R"("params":{"name":"read","arguments":{"path":"work/kernel.cpp"}}})"),
              AllOf(HasSubstr("the kernel"), HasSubstr(R"("isError":false)")));
  EXPECT_THAT(say(R"({"jsonrpc":"2.0","id":3,"method":"tools/call",)"
                  R"("params":{"name":"read","arguments":{"path":"../secrets.json"}}})"),
              HasSubstr(R"("isError":true)"));
  EXPECT_THAT(say(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list"}})"),
              HasSubstr("work/kernel.cpp"));
}

TEST_F(McpTest, MistakesAreAnsweredAsTheProtocolSays) {
  EXPECT_THAT(say("nonsense"), HasSubstr("-32700"));
  EXPECT_THAT(say("[]"), HasSubstr("-32600"));
  EXPECT_THAT(say(R"({"id":1})"), HasSubstr("-32600"));
  EXPECT_THAT(say(R"({"id":{},"method":"ping"})"), HasSubstr("-32600"));
  EXPECT_THAT(say(R"({"id":1,"method":"other"})"), HasSubstr("-32601"));
  EXPECT_THAT(say(R"({"id":1,"method":"tools/call","params":{}})"), HasSubstr("-32602"));
  EXPECT_THAT(say(R"({"id":1,"method":"tools/call","params":7})"), HasSubstr("-32602"));
}

}  // namespace
}  // namespace forge
