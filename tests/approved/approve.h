// Approval tests: a rendered text is compared with a file under tests/approved/ that a person has
// read. To renew the files after a wanted change, run the test once with FORGE_APPROVE=1 and read
// the difference that git shows.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace forge {

// What differs from machine to machine is replaced: folders of this checkout, dates.
inline std::string normalised(std::string text) {
  const auto replace_all = [&text](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  replace_all(FORGE_BINARY_DIR, "<build>");
  replace_all(FORGE_SOURCE_DIR, "<source>");
  return std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"), "<date>");
}

inline void expect_approved(const std::string& name, const std::string& text) {
  const std::string path = std::string(FORGE_SOURCE_DIR) + "/tests/approved/" + name;
  const std::string got = normalised(text);
  if (std::getenv("FORGE_APPROVE") != nullptr) {
    std::ofstream(path) << got;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing; run this test once with FORGE_APPROVE=1";
  std::stringstream approved;
  approved << file.rdbuf();
  EXPECT_EQ(got, approved.str()) << "differs from " << path
                                 << "; if the change is wanted, renew with FORGE_APPROVE=1";
}

// The same for a part of a document that is written by hand otherwise: the lines between
// `<!-- generated: NAME -->` and the next `<!-- end -->`.
inline void expect_approved_section(const std::string& path, const std::string& name,
                                    const std::string& text) {
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing";
  std::stringstream content;
  content << file.rdbuf();
  const std::string document = content.str();
  const std::string opening = "<!-- generated: " + name + " -->\n";
  const auto begin = document.find(opening);
  ASSERT_NE(begin, std::string::npos) << path << " has no line " << opening;
  const auto end = document.find("<!-- end -->", begin);
  ASSERT_NE(end, std::string::npos) << path << " has no line <!-- end --> after " << opening;
  const auto from = begin + opening.size();
  if (std::getenv("FORGE_APPROVE") != nullptr) {
    std::ofstream(path) << document.substr(0, from) << text << document.substr(end);
    return;
  }
  EXPECT_EQ(document.substr(from, end - from), text)
      << "differs in " << path << "; if the change is wanted, renew with FORGE_APPROVE=1";
}

}  // namespace forge
