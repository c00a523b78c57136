#include "worker/error_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::HasSubstr;

bool same(const Error& a, const Error& b) {
  return a.kind == b.kind && a.attempt == b.attempt && a.object == b.object && a.cause == b.cause &&
         a.remedy == b.remedy;
}

TEST(ErrorJson, EveryKindComesBackWithAllFourParts) {
  for (const ErrorKind kind : {ErrorKind::kInvalidInput, ErrorKind::kNotFound, ErrorKind::kBusy,
                               ErrorKind::kInfrastructure, ErrorKind::kEnvironment,
                               ErrorKind::kCorrupt, ErrorKind::kInterrupted}) {
    const Error error{kind, "cannot start", "the runner", "no \"Landlock\"\n", "run forge doctor"};
    const auto text = parse_json(to_json(error).dump(), "error.json");
    ASSERT_TRUE(text);
    EXPECT_TRUE(same(error_from_json(*text, "error.json"), error));
  }
}

TEST(ErrorJson, ADocumentThatHoldsNoErrorBecomesAnErrorAboutTheDocument) {
  const auto message = [](const char* text) {
    const auto json = parse_json(text, "error.json");
    return error_from_json(*json, "jobs/0001/error.json").message();
  };
  EXPECT_THAT(message("[]"), HasSubstr("jobs/0001/error.json"));
  EXPECT_THAT(message(R"({"version": 2})"), HasSubstr("is 2, and this program reads version 1"));
  EXPECT_THAT(message(R"({"version": 1, "kind": "odd", "attempt": "a", "object": "b",
                          "cause": "c", "remedy": ""})"),
              HasSubstr("no kind of error: 'odd'"));
}

}  // namespace
}  // namespace forge
