#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace forge {
namespace {

using testing::HasSubstr;

std::string message_of(std::string_view text) {
  const auto parsed = parse_json(text, "shapes.json");
  return parsed ? "parsed: " + parsed->dump() : parsed.error().message();
}

Json parsed(std::string_view text) {
  auto json = parse_json(text, "test");
  EXPECT_TRUE(json.has_value()) << json.error().message();
  return json ? *json : Json();
}

const Json& item(const Json* array, std::size_t index) {
  FORGE_CHECK(array != nullptr && array->as_array() != nullptr);
  return array->as_array()->at(index);
}

TEST(Json, MembersKeepTheirOrder) {
  EXPECT_EQ(parsed(R"({"b": 1, "a": {"d": [], "c": {}}})").dump(),
            R"({"b":1,"a":{"d":[],"c":{}}})");
}

TEST(Json, IntegersStayExactInAllOf64Bits) {
  const Json json = parsed("[9223372036854775807, -9223372036854775808, 18446744073709551615]");
  EXPECT_EQ(json.dump(), "[9223372036854775807,-9223372036854775808,18446744073709551615]");
  std::int64_t integer = 0;
  std::uint64_t unsigned_integer = 0;
  EXPECT_FALSE(item(&json, 2).as_int(integer));
  EXPECT_TRUE(item(&json, 2).as_uint(unsigned_integer));
  EXPECT_EQ(unsigned_integer, std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(item(&json, 1).as_uint(unsigned_integer));
}

TEST(Json, AnIntegerBeyond64BitsIsAnErrorRatherThanRounded) {
  EXPECT_THAT(message_of("18446744073709551616"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(message_of("-9223372036854775809"), HasSubstr("does not fit into 64 bits"));
}

TEST(Json, EqualNumbersCompareEqualHoweverTheyWereMade) {
  EXPECT_EQ(Json(std::uint64_t{5}), Json(5));
  EXPECT_EQ(parsed("5"), Json(std::int64_t{5}));
  EXPECT_NE(Json(5.0), Json(5));
}

TEST(Json, ADoubleReadsBackAsTheSameDouble) {
  rc::check("dump and parse", [](double value) {
    RC_PRE(std::isfinite(value));
    const auto json = parse_json(Json(value).dump(), "test");
    RC_ASSERT(json.has_value());
    RC_ASSERT(*json == Json(value));
  });
  for (const double value : {0.1, 1.0, -0.0, 1e300, 5e-324, 1e20, 123456789012345680.0}) {
    EXPECT_EQ(parsed(Json(value).dump()), Json(value)) << value;
  }
}

TEST(Json, NanAndInfinitiesAreWrittenAsNull) {
  Json::Array values{Json(std::nan("")), Json(std::numeric_limits<double>::infinity())};
  EXPECT_EQ(Json(values).dump(), "[null,null]");
}

TEST(Json, AnyTextReadsBackAndAnyBytesBecomeValidUtf8) {
  rc::check("strings", [](const std::string& bytes) {
    const auto json = parse_json(Json(bytes).dump(), "test");
    RC_ASSERT(json.has_value());
    RC_ASSERT(json->as_string() != nullptr);
  });
  EXPECT_EQ(parsed(Json("tab\t quote\" é \x01").dump()), Json("tab\t quote\" é \x01"));
  EXPECT_EQ(Json("a\xff").dump(), "\"a\xef\xbf\xbd\"");
}

TEST(Json, PrettyAndCompactTextsHoldTheSameValue) {
  const Json json = parsed(R"({"a":[1,{"b":null}],"c":[],"d":true})");
  EXPECT_EQ(parsed(json.dump_pretty()), json);
  EXPECT_EQ(parsed(json.dump()), json);
  EXPECT_EQ(json.dump_pretty(),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": [],\n"
            "  \"d\": true\n}");
}

TEST(Json, ErrorsNameTheDocumentTheLineAndTheByte) {
  EXPECT_EQ(message_of("{\"a\": 1,\n \"a\": 2}"),
            "cannot parse shapes.json:2: duplicate key 'a' (byte 13)");
  EXPECT_THAT(message_of("[1, 2"), HasSubstr("cannot parse shapes.json: "));
  EXPECT_THAT(message_of("[1, 2"), HasSubstr("unexpected end of input"));
  EXPECT_THAT(message_of("[\n1,\nx]"), HasSubstr("shapes.json:3"));
}

TEST(Json, TheSameKeyInDifferentObjectsIsNoDuplicate) {
  EXPECT_THAT(message_of(R"([{"a":1},{"a":{"a":2}}])"), HasSubstr("parsed"));
}

TEST(Json, TrailingTextIsRefused) {
  EXPECT_THAT(message_of("{} {}"), HasSubstr("expected end of input"));
  EXPECT_THAT(message_of(std::string_view("1\0 garbage", 10)), HasSubstr("unexpected NUL byte"));
  EXPECT_THAT(message_of("{}\n"), HasSubstr("parsed"));
}

TEST(Json, InvalidUtf8IsRefused) {
  EXPECT_THAT(message_of("\"\xc3\x28\""), HasSubstr("ill-formed UTF-8"));
  EXPECT_THAT(message_of("\"\\ud800\""), HasSubstr("surrogate"));
}

TEST(Json, NestingUpTo64IsReadAndDeeperIsRefused) {
  const std::string open(64, '['), close(64, ']');
  EXPECT_THAT(message_of(open + close), HasSubstr("parsed"));
  EXPECT_THAT(message_of("[" + open + close + "]"), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(message_of(std::string(1'000'000, '[')), HasSubstr("nested deeper than 64"));
}

TEST(Json, EmptyTextAndNumbersOutOfRangeAreErrors) {
  EXPECT_THAT(message_of(""), HasSubstr("unexpected end of input"));
  EXPECT_THAT(message_of("1e999"), HasSubstr("number overflow"));
  EXPECT_THAT(message_of("NaN"), HasSubstr("invalid literal"));
}

TEST(Json, SetReplacesAndAppends) {
  Json json;
  json.set("a", 1).set("b", 2).set("a", 3);
  EXPECT_EQ(json.dump(), R"({"a":3,"b":2})");
  Json list;
  list.push_back("x");
  EXPECT_EQ(list.dump(), R"(["x"])");
  EXPECT_EQ(list.find("a"), nullptr);
}

TEST(JsonReader, ErrorsNameTheDocumentAndThePathInsideIt) {
  const Json json = parsed(R"({"timing": {"looks": 6, "arms": [{"label": 1}]}})");
  const JsonReader reader(json, "job.json");
  const auto timing = reader.object("timing");
  ASSERT_TRUE(timing.has_value());
  EXPECT_EQ(timing->array("looks").error().message(),
            "cannot read job.json: 'timing.looks' must be an array");
  EXPECT_EQ(timing->string("none").error().message(),
            "cannot read job.json: 'timing.none' is missing");
  const auto arms = timing->array("arms");
  ASSERT_TRUE(arms.has_value());
  const JsonReader arm = timing->element("arms", 0, item(*arms, 0));
  EXPECT_EQ(arm.string("label").error().message(),
            "cannot read job.json: 'timing.arms[0].label' must be a string");
}

TEST(JsonReader, ReadsEachTypeAndRefusesTheOthers) {
  const Json json = parsed(R"({"s": "x", "i": -3, "d": 1.5, "b": true, "o": {}, "a": []})");
  const JsonReader reader(json, "doc");
  EXPECT_EQ(*reader.string("s"), "x");
  EXPECT_EQ(*reader.integer("i"), -3);
  EXPECT_EQ(*reader.number("d"), 1.5);
  EXPECT_EQ(*reader.number("i"), -3.0);
  EXPECT_TRUE(*reader.boolean("b"));
  EXPECT_TRUE(reader.object("o").has_value());
  EXPECT_TRUE(reader.array("a").has_value());
  EXPECT_FALSE(reader.unsigned_integer("i").has_value());
  EXPECT_FALSE(reader.integer("d").has_value());
  EXPECT_FALSE(reader.boolean("i").has_value());
  EXPECT_FALSE(reader.object("a").has_value());
  EXPECT_FALSE(reader.number("s").has_value());
}

TEST(JsonReader, AnUnknownKeyIsNamedWithTheNearestKnownOne) {
  const Json json = parsed(R"({"scalrs": 1})");
  const auto status = JsonReader(json, "shapes.json").only_keys({"dims", "scalars"});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message(),
            "cannot read shapes.json: unknown key 'scalrs'; did you mean 'scalars'?");
}

TEST(JsonReader, SomethingElseThanAnObjectIsAnError) {
  const Json json = parsed("[]");
  EXPECT_EQ(JsonReader(json, "d.json").string("x").error().message(),
            "cannot read d.json: the document must be an object");
}

}  // namespace
}  // namespace forge
