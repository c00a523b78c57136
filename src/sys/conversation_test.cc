#include "sys/conversation.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/stat.h>

#include "sys/unique_fd.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

std::unique_ptr<Conversation> talk_to(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  auto child = make_real_conversation_starter()->start(spec);
  EXPECT_TRUE(child.has_value()) << child.error().message();
  return child ? std::move(*child) : nullptr;
}

TEST(Conversation, GoesToAndFroLineByLine) {
  const auto child = talk_to("while read line; do echo \"got $line\"; done");
  for (const std::string word : {"one", "two", "three"}) {
    ASSERT_TRUE(child->send(word + "\n", seconds(10)).has_value());
    EXPECT_EQ(child->read_line(seconds(10)).value(), "got " + word);
  }
}

TEST(Conversation, SendsMoreThanAPipeHolds) {
  const auto child = talk_to("read line; echo ${#line}");
  const std::string line(2'000'000, 'x');
  ASSERT_TRUE(child->send(line + "\n", seconds(30)).has_value());
  EXPECT_EQ(child->read_line(seconds(30)).value(), "2000000");
}

TEST(Conversation, SilenceEndsAtTheTimeLimit) {
  const auto child = talk_to("exec sleep 1000");
  const auto line = child->read_line(milliseconds(50));
  ASSERT_FALSE(line.has_value());
  EXPECT_THAT(line.error().message(), HasSubstr("took longer than 0.05 s"));
}

TEST(Conversation, AChildThatDoesNotListenEndsAtTheTimeLimit) {
  const auto child = talk_to("exec sleep 1000");
  const auto sent = child->send(std::string(8'000'000, 'x'), milliseconds(50));
  ASSERT_FALSE(sent.has_value());
  EXPECT_THAT(sent.error().message(), HasSubstr("took longer than"));
}

TEST(Conversation, SaysHowTheChildEnded) {
  EXPECT_THAT(talk_to("exit 3")->read_line(seconds(10)).error().message(),
              HasSubstr("exited with 3 before it answered"));
  EXPECT_THAT(talk_to("kill -SEGV $$")->read_line(seconds(10)).error().message(),
              HasSubstr("was killed by SIGSEGV before it answered"));
}

TEST(Conversation, WritingToAChildThatIsGoneIsAnErrorAndNoSignal) {
  const auto child = talk_to("exit 0");
  ASSERT_FALSE(child->read_line(seconds(10)).has_value());
  EXPECT_FALSE(child->send("hello\n", seconds(10)).has_value());
}

TEST(Conversation, KeepsTheEndOfStandardErrorHoweverMuchThereIs) {
  const auto child = talk_to("head -c 1000000 /dev/zero >&2; echo last words >&2; echo done");
  EXPECT_EQ(child->read_line(seconds(10)).value(), "done");
  EXPECT_THAT(child->standard_error(), HasSubstr("last words"));
  EXPECT_LE(child->standard_error().size(), 4096u);
}

TEST(Conversation, ALineWithoutEndIsRefused) {
  const auto line = talk_to("yes | tr -d '\\n'")->read_line(seconds(30));
  ASSERT_FALSE(line.has_value());
  EXPECT_THAT(line.error().message(), HasSubstr("longer than 64 KiB"));
}

TEST(Conversation, EndsWithItsWholeGroup) {
  const TemporaryDirectory directory;
  const Path fifo = directory.path() / "held";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const UniqueFd held(open(fifo.c_str(), O_RDONLY | O_NONBLOCK));
  {
    const auto child = talk_to("exec 9>" + fifo.string() + "; sleep 1000 & echo started; wait");
    ASSERT_EQ(child->read_line(seconds(10)).value(), "started");
  }
  // The reader of a FIFO sees that its last writer is gone.
  pollfd polled{held.get(), POLLIN, 0};
  EXPECT_EQ(poll(&polled, 1, 10'000), 1);
  EXPECT_NE(polled.revents & POLLHUP, 0);
}

TEST(Conversation, AMissingProgramIsAnErrorThatNamesIt) {
  ProcessSpec spec;
  spec.argv = {"/no/such/program"};
  const auto child = make_real_conversation_starter()->start(spec);
  ASSERT_FALSE(child.has_value());
  EXPECT_THAT(child.error().message(), HasSubstr("/no/such/program"));
}

}  // namespace
}  // namespace forge
