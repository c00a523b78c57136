#include "base/digest.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

// What `b2sum -l 256` prints.
TEST(Digest, IsPlainBlake2bOfTheBytes) {
  EXPECT_EQ(digest_of("").hex, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(digest_of("abc").hex,
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(digest_of("abc").brief(), "bddd813c6342");
}

TEST(Digest, HashesOfDifferentlySplitInputsDiffer) {
  const Digest first = Hasher().add("ab").add("c").finish();
  EXPECT_EQ(first, Hasher().add("ab").add("c").finish());
  EXPECT_NE(first, Hasher().add("a").add("bc").finish());
  EXPECT_NE(first, Hasher().add("abc").finish());
  EXPECT_NE(Hasher().finish(), Hasher().add("").finish());
}

TEST(Digest, BytesAndTextOfTheSameContentHashAlike) {
  const std::string_view text = "content";
  EXPECT_EQ(Hasher().add(std::as_bytes(std::span(text.data(), text.size()))).finish(),
            Hasher().add(text).finish());
}

// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
TEST(Crc32c, MatchesThePublishedVectors) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(Crc32c, SeesEverySingleBitFlip) {
  const std::string text = "one line of a journal";
  const std::uint32_t expected = crc32c(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(crc32c(changed), expected) << bit;
  }
}

}  // namespace
}  // namespace forge
