// A model that has no hands but our tools tries to reach what it must not see and to change what it
// must not change; each attempt has a name. The tools are the same for every server, and for MCP.
// Besides: what lies in a view is a copy, whoever looks at it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "agent/tools.h"
#include "driver/turn_view.h"
#include "problem/load.h"
#include "temporary_directory.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Attempt {
  const char* name;
  const char* tool;
  std::string arguments;
};

class ToolsBoundary : public testing::Test {
 protected:
  ToolsBoundary() {
    write(run_ / "secrets.json", "SECRET\n");
    write(run_ / "journal.jsonl", "SECRET\n");
    write(run_ / "problem/reference/ref.cpp", "int SECRET_reference = \"oops\";\n");
    write(run_ / "tree/.git/logs/HEAD", "SECRET\n");
    write(view_ / "task/description.md", "what is computed\n");
    write(view_ / "task/check/oracle.py", "the oracle\n");
    write(view_ / "milestones/M0.toml", "M0\n");
    write(view_ / "include/forge_args.h", "#pragma once\nstruct Args;\n");
    write(view_ / "work/kernel.cpp", "int before;\n");
    // As if some other program had left them there: our tools make none.
    std::filesystem::create_symlink(run_ / "secrets.json", view_ / "work/link");
    std::filesystem::create_directory_symlink(run_, view_ / "work/folder");
    std::filesystem::create_hard_link(run_ / "secrets.json", view_ / "work/hard");
  }
  static void write(const Path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  ToolAnswer call(const std::string& tool, const std::string& arguments) {
    auto answer = tools_.call(tool, *parse_json(arguments, "the test"));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *answer : ToolAnswer{};
  }
  ToolAnswer compile(const std::string& kernel) {
    Json arguments = Json::object();
    arguments.set("path", "work/kernel.cpp");
    arguments.set("content", kernel);
    EXPECT_EQ(call("write", arguments.dump()).end, ToolEnd::kDone);
    return call("compile", "{}");
  }

  TemporaryDirectory directory_;
  Path run_ = directory_.path() / ".artifacts" / "x_aaaa";
  Path view_ = run_ / "turns" / "0001" / "view";
  std::unique_ptr<Fs> fs_ = make_real_fs();
  std::unique_ptr<ProcessRunner> processes_ = make_real_process_runner();
  Json build_ = *parse_json(R"({"standard": "c++20", "flags": [], "includes": []})", "build");
  Toolbox tools_{{view_, view_ / "work", run_ / "turns/0001/scratch", Role::kStudent, build_},
                 *fs_,
                 *processes_};
};

TEST_F(ToolsBoundary, NoAttemptReachesWhatIsDenied) {
  const std::string run = run_.string();
  const Attempt attempts[] = {
      {"the seeds by their path", "read", R"({"path":")" + run + R"(/secrets.json"})"},
      {"up from the view", "read", R"({"path":"../../../secrets.json"})"},
      {"up from the workspace", "read", R"({"path":"work/../../../../secrets.json"})"},
      {"the journal", "read", R"({"path":"./././../../../journal.jsonl"})"},
      {"the operator tree", "read", R"({"path":"../../../tree/.git/logs/HEAD"})"},
      {"a listing of the run", "list", R"({"path":"../../.."})"},
      {"a listing of the root", "list", R"({"path":"/"})"},
      {"a symbolic link", "read", R"({"path":"work/link"})"},
      {"a link to a folder", "read", R"({"path":"work/folder/secrets.json"})"},
      {"a listing through a link", "list", R"({"path":"work/folder"})"},
      {"a hard link", "read", R"({"path":"work/hard"})"},
      {"the environment", "read", R"({"path":"/proc/self/environ"})"},
      {"memory", "read", R"({"path":"/proc/self/mem"})"},
      {"a name with a zero in it", "read", R"({"path":"task\u0000/../../../../secrets.json"})"},
      {"an offset beyond the end", "read", R"({"path":"task/description.md","offset":99999999})"},
  };
  for (const Attempt& each : attempts) {
    const ToolAnswer answer = call(each.tool, each.arguments);
    EXPECT_EQ(answer.end, ToolEnd::kRefused) << each.name;
    EXPECT_THAT(answer.text, Not(HasSubstr("SECRET"))) << each.name;
  }
}

TEST_F(ToolsBoundary, NoAttemptChangesJudgeMilestonesJournalOrTree) {
  const Attempt attempts[] = {
      {"the judge in the view", "write", R"({"path":"task/check/oracle.py","content":"tampered"})"},
      {"a milestone in the view", "write", R"({"path":"milestones/M0.toml","content":"tampered"})"},
      {"the kernel interface", "write", R"({"path":"include/forge_args.h","content":"tampered"})"},
      {"the judge, by a replacement", "replace",
       R"({"path":"task/check/oracle.py","old":"oracle","new":"tampered"})"},
      {"the journal", "write", R"({"path":"../../../journal.jsonl","content":"tampered"})"},
      {"a hook of the operator tree", "write",
       R"({"path":"../../../tree/.git/hooks/post-commit","content":"tampered"})"},
      {"through a link to a folder", "write",
       R"({"path":"work/folder/journal.jsonl","content":"tampered"})"},
      {"through a symbolic link", "write", R"({"path":"work/link","content":"tampered"})"},
      {"through a hard link", "write", R"({"path":"work/hard","content":"tampered"})"},
      {"the answer of an inbox", "write", R"({"path":"../answer.json","content":"tampered"})"},
      {"the workspace itself", "write", R"({"path":"work","content":"tampered"})"},
  };
  for (const Attempt& each : attempts) {
    EXPECT_EQ(call(each.tool, each.arguments).end, ToolEnd::kRefused) << each.name;
  }
  const auto files = list_files_recursively(*fs_, run_ / "problem");
  EXPECT_EQ(*fs_->read(run_ / "journal.jsonl"), "SECRET\n");
  EXPECT_EQ(*fs_->read(run_ / "secrets.json"), "SECRET\n");
  EXPECT_EQ(*fs_->read(view_ / "task/check/oracle.py"), "the oracle\n");
  EXPECT_EQ(*fs_->read(view_ / "milestones/M0.toml"), "M0\n");
  EXPECT_FALSE(fs_->exists(run_ / "tree/.git/hooks/post-commit"));
}

TEST_F(ToolsBoundary, TheCompilerCarriesNothingOut) {
  const std::string run = run_.string();
  const std::pair<const char*, std::string> attempts[] = {
      {"#include by path", "#include \"" + run + "/problem/reference/ref.cpp\"\n"},
      {"#include by ..", "#include \"../../../../problem/reference/ref.cpp\"\n"},
      {"#include of no code, for its diagnostics", "#include \"" + run + "/secrets.json\"\n"},
      {"#include through a link", "#include \"folder/secrets.json\"\n"},
      {"#include of the environment", "#include \"/proc/self/environ\"\n"},
      {".incbin", "asm(\".incbin \\\"" + run + "/secrets.json\\\"\");\n"},
      {".include", "asm(\".include \\\"" + run + "/secrets.json\\\"\");\n"},
      {"__has_include", "#if __has_include(\"" + run +
                            "/secrets.json\")\n#error SECRET is there\n#endif\n#error none\n"},
  };
  for (const auto& [name, kernel] : attempts) {
    const ToolAnswer answer = compile(kernel);
    EXPECT_EQ(answer.end, ToolEnd::kRefused) << name;
    EXPECT_THAT(answer.text, Not(HasSubstr("SECRET is there"))) << name;
    EXPECT_THAT(answer.text, Not(HasSubstr("SECRET_reference"))) << name;
    EXPECT_THAT(answer.text, Not(HasSubstr("SECRET\n"))) << name;
  }
  const ToolAnswer good = compile(
      "#include \"forge_args.h\"\nextern \"C\" int forge_launch(const Args*, void*) { return 0; }");
  EXPECT_EQ(good.text, "it compiles");
}

// The control: what the attempts are after is there.
TEST_F(ToolsBoundary, WithoutTheToolsThePathsLeadThere) {
  EXPECT_EQ(*fs_->read(view_ / "../../../secrets.json"), "SECRET\n");
  EXPECT_EQ(*fs_->read(view_ / "work/link"), "SECRET\n");
  EXPECT_EQ(*fs_->read(view_ / "work/folder/secrets.json"), "SECRET\n");
  EXPECT_EQ(*fs_->read(view_ / "work/hard"), "SECRET\n");
}

// Whoever answers an inbox can look where he likes; what he is given leads nowhere.
TEST(View, HoldsCopiesAndNoLinkOfAnyKind) {
  TemporaryDirectory directory;
  const auto fs = make_real_fs();
  const RunPaths paths(directory.path() / ".artifacts" / "x_aaaa");
  ASSERT_TRUE(fs->make_directories(paths.root()));
  ASSERT_TRUE(fs->copy_tree(Path(FORGE_SOURCE_DIR) / "tasks/rmsnorm_cpu", paths.problem()));
  const auto problem = load_problem(*fs, paths.problem(), HiddenShapes::kLoad);
  ASSERT_TRUE(problem) << problem.error().message();
  const ViewPlan plan = student_view(*problem, paths, State(), "the kernel\n");
  ASSERT_TRUE(lay_out(*fs, plan, Sight::kView, Durability::kScratch, paths.turn_view(1)));
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(paths.turn_view(1))) {
    EXPECT_FALSE(entry.is_symlink()) << entry.path();
    if (!entry.is_regular_file()) continue;
    ++files;
    struct stat info{};
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_nlink, 1u) << entry.path();
    EXPECT_THAT(*fs->read(entry.path()), Not(HasSubstr("torch.nn"))) << "the reference";
  }
  EXPECT_GT(files, 4);
  EXPECT_FALSE(fs->exists(paths.turn_view(1) / "task/hidden_shapes.json"));
}

}  // namespace
}  // namespace forge
