#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

namespace forge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, SplitKeepsEmptyPartsAndJoinUndoesIt) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  rc::check("join undoes split",
            [](const std::string& text) { RC_ASSERT(join(split(text, 'x'), "x") == text); });
}

TEST(Text, LinesEndWithAnyLineEndAndALastOneIsOptional) {
  EXPECT_THAT(split_lines("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines(""), IsEmpty());
}

TEST(Text, TrimRemovesBlanksAtBothEndsOnly) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("   "), "");
}

TEST(Text, IdentifiersAreThoseOfC) {
  EXPECT_TRUE(is_identifier("_x9"));
  EXPECT_FALSE(is_identifier("9x"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("a-b"));
  EXPECT_FALSE(is_identifier("é"));
}

TEST(Text, NumbersAreFiniteAndTheWholeText) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("-2e3"), -2000);
  for (const char* text : {"", " 1", "1 ", "1x", "nan", "inf", "-inf", "1e400", "0x10", "+1"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Text, TheNearestNameIsFoundForTyposAndNotForStrangers) {
  const std::vector<std::string> known{"dims", "scalars", "inputs", "outputs"};
  EXPECT_EQ(nearest_name("scalers", known), "scalars");
  EXPECT_EQ(nearest_name("shapes", known), "scalars");
  EXPECT_EQ(nearest_name("output", known), "outputs");
  EXPECT_EQ(nearest_name("dmis", known), "dims");
  EXPECT_EQ(nearest_name("tolerance", known), std::nullopt);
  EXPECT_EQ(nearest_name("x", known), std::nullopt);
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{"y"}), std::nullopt);
}

TEST(Text, ClipCutsBetweenCharactersAndSaysWhatIsMissing) {
  EXPECT_EQ(clip("short", 5), "short");
  EXPECT_EQ(clip("abcdef", 4), "abcd… [2 bytes more]");
  EXPECT_EQ(clip("aé", 2), "a… [2 bytes more]");
}

TEST(Text, PrintableTextIsValidUtf8WithoutControls) {
  rc::check("every sequence is well formed", [](const std::string& bytes) {
    const std::string text = printable(bytes);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = utf8_sequence_bytes(std::string_view(text).substr(at));
      RC_ASSERT(length > 0u);
      const auto byte = static_cast<unsigned char>(text[at]);
      RC_ASSERT(byte >= 0x20 || byte == '\n' || byte == '\t');
      at += length;
    }
    RC_ASSERT(printable(text) == text);
  });
  EXPECT_EQ(printable("a\x1b[31mé\n\t"), "a\xef\xbf\xbd[31mé\n\t");
  EXPECT_EQ(printable("\xc2\x9b"), "\xef\xbf\xbd");  // C1: a one-byte escape sequence
}

TEST(Text, Utf8SequencesAreCheckedAsTheStandardSays) {
  EXPECT_EQ(utf8_sequence_bytes("a"), 1u);
  EXPECT_EQ(utf8_sequence_bytes("é"), 2u);
  EXPECT_EQ(utf8_sequence_bytes("€"), 3u);
  EXPECT_EQ(utf8_sequence_bytes("\xf0\x9f\x98\x80"), 4u);
  EXPECT_EQ(utf8_sequence_bytes(""), 0u);
  EXPECT_EQ(utf8_sequence_bytes("\xc0\x80"), 0u);          // overlong
  EXPECT_EQ(utf8_sequence_bytes("\xe0\x80\x80"), 0u);      // overlong
  EXPECT_EQ(utf8_sequence_bytes("\xed\xa0\x80"), 0u);      // surrogate
  EXPECT_EQ(utf8_sequence_bytes("\xf4\x90\x80\x80"), 0u);  // beyond U+10FFFF
  EXPECT_EQ(utf8_sequence_bytes("\xe2\x82"), 0u);          // cut short
}

TEST(Text, DurationsHaveThreeDigitsAndTheFittingUnit) {
  EXPECT_EQ(format_duration_ns(412), "412 ns");
  EXPECT_EQ(format_duration_ns(52'100), "52.1 us");
  EXPECT_EQ(format_duration_ns(3'420'000), "3.42 ms");
  EXPECT_EQ(format_duration_ns(1.2e9), "1.20 s");
  EXPECT_EQ(format_duration_ns(999'999), "1.00 ms");
  EXPECT_EQ(format_duration_ns(-1500), "-1.50 us");
  EXPECT_EQ(format_duration_ns(std::nan("")), "unknown");
}

TEST(Text, ElapsedTimesBytesAndRatiosReadWell) {
  EXPECT_EQ(format_elapsed(42), "0:42");
  EXPECT_EQ(format_elapsed(185.9), "3:05");
  EXPECT_EQ(format_elapsed(7800), "2:10:00");
  EXPECT_EQ(format_elapsed(-1), "-:--");
  EXPECT_EQ(format_bytes(100), "100 B");
  EXPECT_EQ(format_bytes(512 * 1024), "512 KiB");
  EXPECT_EQ(format_bytes(16 << 20), "16.0 MiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(format_ratio(3.416), "3.42");
}

}  // namespace
}  // namespace forge
