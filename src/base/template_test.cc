#include "base/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::HasSubstr;

std::string render(std::string_view text, std::string_view json) {
  const auto data = parse_json(json, "data");
  if (!data) return data.error().message();
  const auto rendered = render_template(text, *data, "the test");
  return rendered ? *rendered : rendered.error().message();
}

TEST(Template, FillsHolesWithoutEscaping) {
  EXPECT_EQ(render("{{a}} {{ b }}", R"({"a": "<&\">", "b": 7})"), "<&\"> 7");
}

TEST(Template, LeavesSectionsOfEmptyThingsOut) {
  EXPECT_EQ(render("{{#a}}a{{/a}}{{#b}}b{{/b}}{{#c}}c{{/c}}{{#d}}d{{/d}}{{^a}}no{{/a}}",
                   R"({"a": "", "b": [], "c": false, "d": "x"})"),
            "dno");
}

TEST(Template, RepeatsASectionForEachElement) {
  EXPECT_EQ(render("{{#rows}}{{id}}:{{title}};{{/rows}}{{#names}}{{.}} {{/names}}",
                   R"({"title": "t", "rows": [{"id": 1}, {"id": 2}], "names": ["x", "y"]})"),
            "1:t;2:t;x y ");
}

TEST(Template, AMissingNameIsAnErrorThatNamesIt) {
  EXPECT_THAT(render("{{a}}{{other}}", R"({"a": "x"})"), HasSubstr("'other'"));
  EXPECT_THAT(render("{{#rows}}{{id}}{{/rows}}", R"({"rows": [{"id": 1}, {}]})"),
              HasSubstr("'id'"));
  EXPECT_THAT(render("{{#a}}x{{/a}}", "{}"), HasSubstr("'a'"));
}

TEST(Template, WhatALeftOutSectionNamesIsNotLookedFor) {
  EXPECT_EQ(render("{{#rows}}{{id}}{{#more}}{{x}}{{/more}}{{/rows}}end", R"({"rows": []})"), "end");
}

TEST(Template, AnUnfinishedSectionIsAnError) {
  EXPECT_THAT(render("{{#a}}x", R"({"a": "x"})"), HasSubstr("cannot fill in the test"));
}

}  // namespace
}  // namespace forge
