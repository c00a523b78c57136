// Guards the layers: which folder may include which, that every test is built, that files stay
// small and expensive headers stay in one place. Works on a map of texts, so that each check is
// shown to catch what it is there for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Path relative to the root of the project -> content.
using Tree = std::map<std::string, std::string>;

Tree read_tree() {
  Tree tree;
  const std::filesystem::path root = FORGE_SOURCE_DIR;
  for (const char* folder : {"src", "tests", "fuzz", "include"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      std::stringstream content;
      content << file.rdbuf();
      tree[entry.path().lexically_relative(root).string()] = content.str();
    }
  }
  return tree;
}

// A module may include itself and modules of a lower level, none of its own level. The worker's
// protocol is a module of its own; the rest of the worker is included by nobody.
const std::map<std::string, int> kLevels = {
    {"base", 0},    {"stats", 1},  {"sys", 1},       {"search", 1},   {"problem", 2},
    {"run", 2},     {"judge", 3},  {"bench", 3},     {"target", 3},   {"worker_protocol", 4},
    {"worker", 5},  {"agent", 5},  {"knowledge", 5}, {"delivery", 5}, {"teacher", 6},
    {"student", 6}, {"driver", 7}, {"evolve", 8},    {"report", 8},   {"cli", 9},
};

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool is_source(const std::string& path) { return path.ends_with(".cc") || path.ends_with(".h"); }

// Of a path below src/: "worker/job.h" -> "worker_protocol"; "" if it is in no known module.
std::string module_of(const std::string& path) {
  static const std::regex kProtocol(
      "worker/(job|result|error_json|json_fields|monitor_json)(_test)?\\.(h|cc)");
  if (std::regex_match(path, kProtocol)) return "worker_protocol";
  const std::string folder = path.substr(0, path.find('/'));
  return kLevels.contains(folder) ? folder : "";
}

std::vector<std::string> includes_of(const std::string& content) {
  static const std::regex kInclude("(?:^|\n)#include \"([^\"\n]+/[^\"\n]+)\"");
  std::vector<std::string> includes;
  for (std::sregex_iterator at(content.begin(), content.end(), kInclude), end; at != end; ++at) {
    includes.push_back((*at)[1]);
  }
  return includes;
}

// "" if `file` may include `included`, else why not. Both are relative to src/.
std::string refusal(const Tree& tree, const std::string& file, const std::string& included) {
  const std::string from = module_of(file);
  const std::string to = module_of(included);
  if (from.empty()) return "is in no module that has a level";
  if (to.empty()) {
    const bool helper = file.ends_with("_test.cc") && tree.contains("tests/" + included);
    return helper || tree.contains("include/" + included) ? "" : "is in no module";
  }
  if (!tree.contains("src/" + included)) return "does not exist";
  if (from == to) return "";
  if (to == "worker") return "is private to the worker";
  if (kLevels.at(to) < kLevels.at(from)) return "";
  return kLevels.at(to) == kLevels.at(from) ? "is on the same level" : "is on a higher level";
}

std::vector<std::string> direction_violations(const Tree& tree) {
  std::vector<std::string> violations;
  for (const auto& [path, content] : tree) {
    if (!starts_with(path, "src/") || !is_source(path)) continue;
    for (const std::string& included : includes_of(content)) {
      const std::string why = refusal(tree, path.substr(4), included);
      if (!why.empty()) violations.push_back(path + " includes " + included + ", which " + why);
    }
  }
  return violations;
}

// Whether a CMakeLists.txt in the folder of `path` or above names it, relative to that folder.
bool is_named(const Tree& tree, const std::string& path) {
  for (std::filesystem::path folder = std::filesystem::path(path).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    const auto list = tree.find((folder / "CMakeLists.txt").string());
    if (list == tree.end()) continue;
    std::istringstream words(std::regex_replace(list->second, std::regex("[()]"), " "));
    const std::string wanted = std::filesystem::path(path).lexically_relative(folder).string();
    for (std::string word; words >> word;) {
      if (word == wanted) return true;
    }
  }
  return false;
}

std::vector<std::string> forgotten_tests(const Tree& tree) {
  std::vector<std::string> forgotten;
  for (const auto& [path, content] : tree) {
    if (path.ends_with("_test.cc") && !is_named(tree, path)) forgotten.push_back(path);
  }
  return forgotten;
}

std::vector<std::string> long_files(const Tree& tree) {
  constexpr auto kMaxLines = 800;
  std::vector<std::string> found;
  for (const auto& [path, content] : tree) {
    if (!is_source(path)) continue;
    if (std::count(content.begin(), content.end(), '\n') > kMaxLines) found.push_back(path);
  }
  return found;
}

// nlohmann's and CLI11's headers cost seconds a file: one .cc each. toml++ is compiled into a
// library and cheaper: one .cc in each module that reads TOML.
std::vector<std::string> spread_headers(const Tree& tree) {
  const std::map<std::string, bool> kHeavyOncePerModule = {
      {"nlohmann/", false}, {"CLI/", false}, {"kainjow/", false}, {"toml++/", true}};
  std::vector<std::string> found;
  for (const auto& [header, once_per_module] : kHeavyOncePerModule) {
    std::set<std::string> seen;
    for (const auto& [path, content] : tree) {
      if (!is_source(path) || !starts_with(path, "src/")) continue;
      if (content.find("\n#include <" + header) == std::string::npos) continue;
      const bool again = !seen.insert(once_per_module ? module_of(path.substr(4)) : "").second;
      if (again || path.ends_with(".h")) found.push_back(path + " includes " + header);
    }
  }
  return found;
}

TEST(Layers, EveryIncludePointsDownwards) {
  const Tree tree = read_tree();
  ASSERT_GT(tree.size(), 100u) << "read from " << FORGE_SOURCE_DIR;
  EXPECT_THAT(direction_violations(tree), IsEmpty());
}

TEST(Layers, EveryTestFileIsBuilt) { EXPECT_THAT(forgotten_tests(read_tree()), IsEmpty()); }

TEST(Layers, NoFileHasMoreThan800Lines) { EXPECT_THAT(long_files(read_tree()), IsEmpty()); }

TEST(Layers, ExpensiveHeadersAreIncludedInOnePlace) {
  EXPECT_THAT(spread_headers(read_tree()), IsEmpty());
}

TEST(LayerChecks, CatchAnIncludeOfAHigherOrEqualLevel) {
  Tree tree{{"src/base/a.h", ""},
            {"src/judge/a.h", "// text\n#include \"base/a.h\"\n#include \"judge/a.h\"\n"},
            {"src/stats/a.h", ""},
            {"src/sys/a.h", "#include \"base/a.h\"\n"}};
  EXPECT_THAT(direction_violations(tree), IsEmpty());
  tree["src/base/b.cc"] = "#include <string>\n#include \"judge/a.h\"\n";
  tree["src/sys/b_test.cc"] = "#include \"stats/a.h\"\n";
  EXPECT_THAT(direction_violations(tree),
              ElementsAre("src/base/b.cc includes judge/a.h, which is on a higher level",
                          "src/sys/b_test.cc includes stats/a.h, which is on the same level"));
}

TEST(LayerChecks, CatchAnIncludeOfTheWorkersInside) {
  Tree tree{{"src/worker/job.h", ""},
            {"src/worker/run_job.h", "#include \"worker/job.h\"\n"},
            {"src/driver/a.cc", "#include \"worker/job.h\"\n"}};
  EXPECT_THAT(direction_violations(tree), IsEmpty());
  tree["src/driver/a.cc"] = "#include \"worker/run_job.h\"\n";
  EXPECT_THAT(direction_violations(tree), ElementsAre(HasSubstr("is private to the worker")));
  tree["src/driver/a.cc"] = "";
  tree["src/worker/job.h"] = "#include \"worker/run_job.h\"\n";
  EXPECT_THAT(direction_violations(tree), ElementsAre(HasSubstr("src/worker/job.h includes")));
}

TEST(LayerChecks, CatchUnknownModulesAndMissingFiles) {
  const Tree tree{{"src/extra/a.cc", "#include \"base/a.h\"\n"},
                  {"src/base/a.h", "#include \"base/none.h\"\n#include \"cli/a.h\"\n"},
                  {"src/base/a.cc", "#include \"helpers/x.h\"\n"},
                  {"src/base/a_test.cc", "#include \"helpers/x.h\"\n#include \"forge/kernel.h\"\n"},
                  {"tests/helpers/x.h", ""},
                  {"include/forge/kernel.h", ""}};
  EXPECT_THAT(direction_violations(tree),
              ElementsAre("src/base/a.cc includes helpers/x.h, which is in no module",
                          "src/base/a.h includes base/none.h, which does not exist",
                          "src/base/a.h includes cli/a.h, which does not exist",
                          HasSubstr("src/extra/a.cc includes base/a.h, which is in no module")));
}

TEST(LayerChecks, CatchATestThatIsNotBuilt) {
  const Tree tree{{"src/base/CMakeLists.txt", "forge_module(base\n  TESTS a_test.cc b_test.cc)"},
                  {"src/base/a_test.cc", ""},
                  {"src/base/b_test.cc", ""},
                  {"src/base/test.cc", ""},
                  {"src/base/_test.cc", ""},
                  {"tests/CMakeLists.txt", "forge_test(x SOURCES cli/run_test.cc)"},
                  {"tests/cli/run_test.cc", ""},
                  {"tests/cli/other_run_test.cc", ""}};
  EXPECT_THAT(forgotten_tests(tree),
              ElementsAre("src/base/_test.cc", "tests/cli/other_run_test.cc"));
}

TEST(LayerChecks, CatchLongFilesAndSpreadHeaders) {
  const Tree tree{{"src/base/long.cc", std::string(801, '\n')},
                  {"src/base/fine.cc", std::string(800, '\n')},
                  {"src/base/j.cc", "\n#include <nlohmann/json.hpp>\n"},
                  {"src/run/j.cc", "\n#include <nlohmann/json.hpp>\n"},
                  {"src/run/t.cc", "\n#include <toml++/toml.h>\n"},
                  {"src/problem/t.cc", "\n#include <toml++/toml.h>\n"},
                  {"src/problem/t.h", "\n#include <toml++/toml.h>\n"}};
  EXPECT_THAT(long_files(tree), ElementsAre("src/base/long.cc"));
  EXPECT_THAT(spread_headers(tree),
              ElementsAre("src/run/j.cc includes nlohmann/", "src/problem/t.h includes toml++/"));
}

}  // namespace
}  // namespace forge
