#include "problem/names.h"

#include <gtest/gtest.h>

namespace forge {
namespace {

TEST(MemberName, PlainIdentifiersAreFree) {
  for (const char* name : {"x", "cu_seqlens", "K", "rows2", "strides", "final", "stride_x"}) {
    EXPECT_EQ(why_not_member_name(name), "") << name;
  }
}

TEST(MemberName, WhatCppOrTheInterfaceNeedsIsTaken) {
  EXPECT_EQ(why_not_member_name(""), "is no C identifier");
  EXPECT_EQ(why_not_member_name("a-b"), "is no C identifier");
  EXPECT_EQ(why_not_member_name("co_await"), "is a C++ keyword");
  EXPECT_EQ(why_not_member_name("xor"), "is a C++ keyword");
  EXPECT_EQ(why_not_member_name("dims"), "is reserved by the kernel interface");
  EXPECT_EQ(why_not_member_name("ceil_div"), "is reserved by the kernel interface");
  EXPECT_EQ(why_not_member_name("errno"), "is reserved by the kernel interface");
  EXPECT_NE(why_not_member_name("_x"), "");
  EXPECT_NE(why_not_member_name("a__b"), "");
  EXPECT_NE(why_not_member_name("FORGE_X"), "");
  EXPECT_NE(why_not_member_name("x_strides"), "");
}

TEST(Label, MustBeSafeInPaths) {
  for (const char* name : {"large", "2048x4096", "v1.2", "a-b_c"}) {
    EXPECT_EQ(why_not_label(name), "") << name;
  }
  for (const char* name : {"", ".", "..", "-x", "a/b", "a b", "ä", "a\n"}) {
    EXPECT_NE(why_not_label(name), "") << name;
  }
  EXPECT_EQ(why_not_label(std::string(64, 'a')), "");
  EXPECT_NE(why_not_label(std::string(65, 'a')), "");
}

}  // namespace
}  // namespace forge
