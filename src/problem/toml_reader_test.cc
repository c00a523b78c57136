#include "problem/toml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace forge {
namespace {

using ::testing::ElementsAre;

TEST(ParseToml, KeepsTheOrderAndTheLinesOfTheDocument) {
  const auto table = parse_toml("zebra = 1\n\n[apple]\nx = [1,\n 'two']\n", "f.toml");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->size(), 2u);
  EXPECT_EQ((*table)[0].key, "zebra");
  EXPECT_EQ((*table)[1].line, 3);
  const auto& array =
      std::get<TomlArray>(std::get<TomlTable>((*table)[1].value.data)[0].value.data);
  EXPECT_EQ(array[0].line, 4);
  EXPECT_EQ(array[1].line, 5);
  EXPECT_EQ(std::get<std::string>(array[1].data), "two");
}

TEST(ParseToml, RefusesNulBytesWhichWouldHideTheRest) {
  const auto table = parse_toml(std::string_view("a = 1\nb = 2\0\nc = 3\n", 19), "f.toml");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().message(), "cannot read f.toml:2: a NUL byte is not allowed in TOML");
}

TEST(ParseToml, RefusesDeepNesting) {
  const std::string text = "a = " + std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(parse_toml(text, "f.toml").error().cause, "nested deeper than 16 levels");
}

TEST(TomlReader, SuggestsTheNearestNameOrListsAll) {
  EXPECT_EQ(suggest("colz", {"rows", "cols"}), "did you mean 'cols'?");
  EXPECT_EQ(suggest("zzzzzzzz", {"rows", "cols"}), "known: rows, cols");
  EXPECT_EQ(suggest("x", {}), "");
}

TEST(TomlReader, NamesNestedTablesAsTheUserWroteThem) {
  const auto tree = parse_toml("[a.b]\nlist = [{ x = 1 }]\n", "f.toml");
  ASSERT_TRUE(tree);
  const TomlReader root(*tree, 1, "f.toml", "");
  const auto a = root.table("a");
  const auto b = (*a)->table("b");
  EXPECT_EQ((*b)->where(), "[a.b]");
  const auto list = (*b)->tables("list");
  ASSERT_EQ(list->size(), 1u);
  EXPECT_EQ(list->at(0).where(), "list[0] of [a.b]");
  EXPECT_THAT(list->at(0).keys(), ElementsAre("x"));
  EXPECT_EQ(list->at(0).string("x").error().message(),
            "cannot read f.toml:2: 'x' in list[0] of [a.b] must be a string");
}

TEST(TomlReader, IntegersAreNumbersButFractionsAreNoIntegers) {
  const auto tree = parse_toml("i = 3\nf = 2.5\nn = nan\n", "f.toml");
  ASSERT_TRUE(tree);
  const TomlReader root(*tree, 1, "f.toml", "");
  EXPECT_EQ(*root.number_or("i", 0), 3.0);
  EXPECT_EQ(*root.number_or("missing", 7), 7.0);
  EXPECT_FALSE(root.integer_or("f", 0));
  EXPECT_FALSE(root.number_or("n", 0));
}

}  // namespace
}  // namespace forge
