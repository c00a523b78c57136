#include "problem/toml_write.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace forge {
namespace {

bool same(const TomlTable& left, const TomlTable& right);

bool same(const TomlValue& left, const TomlValue& right) {
  if (left.data.index() != right.data.index()) return false;
  if (const auto* table = std::get_if<TomlTable>(&left.data)) {
    return same(*table, std::get<TomlTable>(right.data));
  }
  if (const auto* array = std::get_if<TomlArray>(&left.data)) {
    const auto& other = std::get<TomlArray>(right.data);
    return std::equal(array->begin(), array->end(), other.begin(), other.end(),
                      [](const TomlValue& a, const TomlValue& b) { return same(a, b); });
  }
  if (const auto* number = std::get_if<double>(&left.data)) {
    const double other = std::get<double>(right.data);
    return *number == other || (std::isnan(*number) && std::isnan(other));
  }
  if (const auto* text = std::get_if<std::string>(&left.data)) {
    return *text == std::get<std::string>(right.data);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&left.data)) {
    return *integer == std::get<std::int64_t>(right.data);
  }
  return std::get<bool>(left.data) == std::get<bool>(right.data);
}

// In any order: tables are written behind the other members.
bool same(const TomlTable& left, const TomlTable& right) {
  return left.size() == right.size() &&
         std::all_of(left.begin(), left.end(), [&](const TomlMember& member) {
           return std::any_of(right.begin(), right.end(), [&](const TomlMember& other) {
             return member.key == other.key && same(member.value, other.value);
           });
         });
}

void expect_comes_back(const std::string& text) {
  const auto tree = parse_toml(text, "a.toml");
  ASSERT_TRUE(tree) << tree.error().message();
  const std::string written = write_toml(*tree);
  const auto again = parse_toml(written, "b.toml");
  ASSERT_TRUE(again) << again.error().message() << "\n" << written;
  EXPECT_TRUE(same(*tree, *again)) << written;
}

TEST(TomlWrite, EveryKindOfValueComesBack) {
  expect_comes_back(
      "text = \"a \\\"b\\\" \\\\ \\u0001 \\n é\"\n'odd key' = 1\nyes = true\nwhole = -3\n"
      "real = 1e-7\nround = 2.0\nhuge = 1e300\nnone = nan\nall = inf\n"
      "list = [1, 2.5, 'x', [], { a = 1, 'b c' = {} }]\n"
      "[t]\na = 1\n[t.u]\nb = 2\n[t.'v w']\n[[rows]]\nx = 1\n[[rows]]\nx = 2\n");
}

TEST(TomlWrite, EveryShippedProblemComesBack) {
  int problems = 0;
  const std::filesystem::path tasks = std::filesystem::path(FORGE_SOURCE_DIR) / "tasks";
  for (const auto& folder : std::filesystem::directory_iterator(tasks)) {
    std::ifstream file(folder.path() / "task.toml");
    std::ostringstream text;
    text << file.rdbuf();
    expect_comes_back(text.str());
    ++problems;
  }
  EXPECT_GE(problems, 2);
}

}  // namespace
}  // namespace forge
