#include "base/error.h"

#include <gtest/gtest.h>

#include <memory>

namespace forge {
namespace {

Result<int> fail_with(const char* cause) {
  return Error{ErrorKind::kBusy, "cannot take", "it", cause, ""};
}

Result<std::unique_ptr<int>> double_of(Result<int> input) {
  FORGE_TRY(const int value, std::move(input));
  return std::make_unique<int>(2 * value);
}

Status pass_on(Status status) {
  FORGE_TRY_STATUS(std::move(status));
  return Error{ErrorKind::kCorrupt, "reached", "the end", "", ""};
}

TEST(Error, MessageHasAttemptObjectCauseAndRemedy) {
  EXPECT_EQ((Error{ErrorKind::kInvalidInput, "cannot read", "a.toml:14", "unknown key 'x'",
                   "did you mean 'y'?"}
                 .message()),
            "cannot read a.toml:14: unknown key 'x'; did you mean 'y'?");
  EXPECT_EQ((Error{ErrorKind::kBusy, "cannot lock", "", "", ""}.message()), "cannot lock");
}

TEST(Error, MessageIsOneLineWithoutControlCharacters) {
  const Error error{ErrorKind::kNotFound, "cannot read", "a\nb\x1b[2J", "no\tfile", ""};
  EXPECT_EQ(error.message(), "cannot read a b\\x1b[2J: no file");
}

TEST(Result, TryAssignsTheValueOrReturnsTheErrorUnchanged) {
  EXPECT_EQ(**double_of(21), 42);
  const auto failed = double_of(fail_with("because"));
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().kind, ErrorKind::kBusy);
  EXPECT_EQ(failed.error().cause, "because");
}

TEST(Result, TryStatusReturnsTheErrorOrGoesOn) {
  EXPECT_EQ(pass_on({}).error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(pass_on(Error{ErrorKind::kInterrupted, "", "", "", ""}).error().kind,
            ErrorKind::kInterrupted);
}

TEST(InvariantDeathTest, ABrokenInvariantAbortsWithItsText) {
  EXPECT_DEATH(FORGE_CHECK(1 + 1 == 3), "broken invariant at .*error_test.cc:.*1 \\+ 1 == 3");
}

}  // namespace
}  // namespace forge
