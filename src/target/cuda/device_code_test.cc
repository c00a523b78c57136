#include "target/cuda/device_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "target/cuda/plan_fixture.h"

namespace forge {
namespace {

using testing::HasSubstr;

std::span<const std::byte> as_bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

template <typename T>
std::string raw(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// As fatbinary lays it out: a header of 16 bytes, an entry's of 64, the cubin.
std::string container(const std::string& payload, std::uint16_t kind = 2,
                      std::uint32_t compressed = 0) {
  const std::string entry = raw(kind) + raw(std::uint16_t{0x101}) + raw(std::uint32_t{64}) +
                            raw(std::uint64_t{payload.size()}) + raw(compressed) +
                            raw(std::uint32_t{0}) + raw(std::uint16_t{8}) + raw(std::uint16_t{1}) +
                            raw(std::uint32_t{90}) + std::string(32, '\0') + payload;
  return raw(std::uint32_t{0xba55ed50}) + raw(std::uint16_t{1}) + raw(std::uint16_t{16}) +
         raw(std::uint64_t{entry.size()}) + entry;
}

class DeviceCode : public testing::Test {
 protected:
  std::string reason(const std::string& image) const {
    return foreign_device_code(as_bytes_of(image), as_bytes_of(cubin)).value_or("");
  }
  const std::string cubin = test_cubin_bytes("globals");
};

TEST_F(DeviceCode, IsFoundInItsContainer) {
  const std::string bytes = container(cubin) + "behind it";
  const auto fatbin = parse_fatbin(as_bytes_of(bytes), "fatbin");
  ASSERT_TRUE(fatbin) << fatbin.error().message();
  ASSERT_EQ(fatbin->entries.size(), 1u);
  EXPECT_EQ(fatbin->bytes, bytes.size() - 9);
  EXPECT_EQ(fatbin->entries[0].kind, FatbinKind::kCubin);
  EXPECT_EQ(fatbin->entries[0].sm, 90u);
  EXPECT_FALSE(fatbin->entries[0].compressed);
  EXPECT_EQ(fatbin->entries[0].payload.size(), cubin.size());
}

TEST_F(DeviceCode, IsRefusedWhenItsContainerIsCut) {
  const std::string bytes = container(cubin);
  for (std::size_t size = 0; size < bytes.size(); size += 61) {
    EXPECT_FALSE(parse_fatbin(as_bytes_of(bytes).first(size), "fatbin")) << size;
  }
}

TEST_F(DeviceCode, OfTheCompilerIsAccepted) {
  EXPECT_EQ(reason("host code" + container(cubin) + "more"), "");
  EXPECT_EQ(reason("host code only"), "");
}

TEST_F(DeviceCode, OfAnybodyElseIsRefused) {
  const std::string other = test_cubin_bytes("limits");
  EXPECT_THAT(reason("host" + container(cubin) + container(cubin)), HasSubstr("second container"));
  EXPECT_THAT(reason("host" + container(other)), HasSubstr("not the one that was compiled"));
  EXPECT_THAT(reason("host" + container(cubin, 1)), HasSubstr("not the one that was compiled"));
  EXPECT_THAT(reason("host" + container(cubin, 2, 5)), HasSubstr("not the one that was compiled"));
  EXPECT_THAT(reason(container(cubin) + "array" + other),
              HasSubstr("not compiled from its source"));
}

// Four bytes that look like the beginning of a container occur in honest data.
TEST_F(DeviceCode, IsNotSeenInBytesThatOnlyBeginLikeIt) {
  EXPECT_EQ(reason(raw(std::uint32_t{0xba55ed50}) + std::string(64, 'x') + container(cubin)), "");
}

}  // namespace
}  // namespace forge
