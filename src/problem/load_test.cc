#include "problem/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem/documented.h"
#include "problem/notes.h"
#include "problem/problem_fixture.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kFullTask = R"toml(
name = "attend-1"
target = "cpu"

[signature]
dims = ["batch", "total", "k"]
scalars = [
  { name = "scale", dtype = "f64" },
  { name = "max_seqlen", dtype = "i32" },
]
inputs = [
  { name = "q", dtype = "f16", shape = ["total", "k/128", 128] },
  { name = "cu_seqlens", dtype = "i32", shape = ["batch+1"], range = [0, "total"], meaning = "offsets" },
  { name = "bt", dtype = "f32", shape = ["k", "total"], strides = [1, "k"] },
  { name = "bias", dtype = "f8_e4m3", shape = [], optional = true },
]
inouts = [{ name = "cache", dtype = "f8_e5m2", shape = ["max_seqlen", "k"] }]
outputs = [
  { name = "o", dtype = "f16", shape = ["total", "k"], strides = ["2*k", "1"] },
  { name = "best", dtype = "i64", shape = ["batch"], meaning = "indices" },
]
[work]
bytes = "4*total*k"
flops = 1000
[build]
includes = ["include"]
flags = ["-ffast-math", "-funroll-loops"]
standard = "gnu++20"
files = ["include/util.h"]
[tolerance.o]
factor = 3
floor = 1e-2
[tolerance.cache]
factor = 1.5
[reference]
run = ["reference/norm.cpp", "reference/norm.py", { path = "reference/norm2.cpp", libraries = ["openblas"] }]
source = ["reference"]
deny = ["/opt/secret"]
libraries = ["dnnl"]
[judge]
oracle = "check/oracle.py"
author = "A. N. Author"
[start]
path = "start/"
[goal]
ratio = 1.2
[budget]
hours = 1
max_meta = 3
patience = 4
tokens = 500_000
cost = 2.5
)toml";

constexpr std::string_view kFullShapes = R"json({
  "shapes": [{
    "name": "2x100", "dims": {"batch": 2, "total": 100, "k": 256}, "scalars": {"scale": 1},
    "groups": [
      {"name": "a", "purpose": "even lengths", "scalars": {"max_seqlen": 50}},
      {"name": "b", "purpose": "one long", "scalars": {"max_seqlen": 99, "scale": 0.5}},
      {"name": "c", "purpose": "no bias", "scalars": {"max_seqlen": 60}, "absent": ["bias"]}
    ]
  }]
})json";

Problem load_full() {
  ProblemFixture files;
  files.write("task.toml", kFullTask);
  files.write("shapes.json", kFullShapes);
  return files.must_load();
}

TEST(LoadProblem, ReadsTheWholeSignature) {
  const Problem problem = load_full();
  const Signature& signature = problem.signature;
  EXPECT_EQ(problem.name, "attend-1");
  EXPECT_THAT(signature.dims, ElementsAre("batch", "total", "k"));
  ASSERT_EQ(signature.scalars.size(), 2u);
  EXPECT_EQ(signature.scalars[1].name, "max_seqlen");
  EXPECT_EQ(signature.scalars[1].dtype, Dtype::kI32);
  std::vector<std::string> names;
  for (const auto& tensor : signature.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("q", "cu_seqlens", "bt", "bias", "cache", "o", "best"));
  EXPECT_EQ(signature.find_tensor("q")->shape[2].text(), "128");
  EXPECT_EQ(signature.find_tensor("cu_seqlens")->meaning, IntegerMeaning::kOffsets);
  EXPECT_EQ(signature.find_tensor("cu_seqlens")->range->high.text(), "total");
  EXPECT_EQ(signature.find_tensor("bias")->presence, Presence::kOptional);
  EXPECT_EQ(signature.find_tensor("cache")->direction, Direction::kInOut);
  EXPECT_EQ(signature.find_tensor("o")->strides->at(0).text(), "2*k");
  EXPECT_EQ(signature.find_tensor("nothing"), nullptr);
}

TEST(LoadProblem, ReadsAllSettings) {
  const Problem problem = load_full();
  EXPECT_EQ(problem.work.bytes->text(), "4*total*k");
  EXPECT_EQ(problem.work.flops->text(), "1000");
  EXPECT_THAT(problem.build.flags, ElementsAre("-ffast-math", "-funroll-loops"));
  EXPECT_THAT(problem.build.includes, ElementsAre("include"));
  EXPECT_THAT(problem.build.extra_files, ElementsAre("include/util.h"));
  EXPECT_EQ(problem.build.standard, "gnu++20");
  ASSERT_EQ(problem.tolerance.size(), 2u);
  EXPECT_EQ(problem.tolerance[0].output, "o");
  EXPECT_EQ(problem.tolerance[0].factor, 3.0);
  EXPECT_EQ(problem.tolerance[0].floor, 1e-2);
  EXPECT_EQ(problem.tolerance[1].floor, std::nullopt);
  EXPECT_EQ(problem.judge.oracle, "check/oracle.py");
  EXPECT_EQ(problem.judge.author, "A. N. Author");
  EXPECT_EQ(problem.start_path, "start/");
  EXPECT_EQ(problem.goal_ratio, 1.2);
  EXPECT_EQ(problem.budget.hours, 1.0);
  EXPECT_EQ(problem.budget.max_meta, 3);
  EXPECT_EQ(problem.budget.patience, 4);
  EXPECT_EQ(problem.budget.tokens, 500'000);
  EXPECT_EQ(problem.budget.cost, 2.5);
  EXPECT_EQ(problem.description, "Normalises rows.\n");
  EXPECT_THAT(problem.not_yet_executable, IsEmpty());
}

TEST(LoadProblem, ReadsReferencesInOrderWithTheirLanguage) {
  const ReferenceSettings reference = load_full().reference;
  ASSERT_EQ(reference.implementations.size(), 3u);
  EXPECT_EQ(reference.implementations[0].language, ReferenceLanguage::kCpp);
  EXPECT_EQ(reference.implementations[1].run, "reference/norm.py");
  EXPECT_EQ(reference.mode, ReferenceMode::kSource);
  EXPECT_THAT(reference.deny, ElementsAre("/opt/secret"));
}

TEST(LoadProblem, ACompiledReferenceLinksItsOwnLibrariesElseThoseOfAll) {
  const auto references = load_full().reference.implementations;
  ASSERT_EQ(references.size(), 3u);
  EXPECT_THAT(references[0].libraries, ElementsAre("dnnl"));
  EXPECT_THAT(references[1].libraries, IsEmpty()) << "Python imports what it needs";
  EXPECT_THAT(references[2].libraries, ElementsAre("openblas"));
}

TEST(LoadProblem, ReferenceModesFollowFromTheTable) {
  ProblemFixture files;
  EXPECT_EQ(files.must_load().reference.mode, ReferenceMode::kBlackbox);
  files.edit_task("run =", "source = [\"reference/norm.py\"]\nblackbox = true\nrun =");
  EXPECT_EQ(files.must_load().reference.mode, ReferenceMode::kBlackbox);
  files.edit_task("[reference]\nrun = \"reference/norm.py\"\n", "");
  EXPECT_EQ(files.must_load().reference.mode, ReferenceMode::kGenerate);
  files.edit_task("[reference]\nrun = \"reference/norm.py\"\n",
                  "[leaderboard]\nboard = \"b\"\nproblem = \"p\"\n");
  EXPECT_EQ(files.must_load().reference.mode, ReferenceMode::kLeaderboard);
  EXPECT_EQ(files.must_load().leaderboard->board, "b");
}

TEST(LoadProblem, SettingsLeftOutHaveDefaults) {
  const Problem problem = ProblemFixture().must_load();
  EXPECT_EQ(problem.goal_ratio, 1.0);
  EXPECT_EQ(problem.budget.hours, 4.0);
  EXPECT_EQ(problem.budget.patience, 5);
  EXPECT_EQ(problem.build.standard, "c++20");
  EXPECT_EQ(problem.judge.author, "the problem's author");
  EXPECT_EQ(problem.start_path, std::nullopt);
}

TEST(LoadProblem, SharedGroupsComeFirstInEveryShape) {
  ProblemFixture files;
  files.edit_shapes(R"("pad": 3}})", R"("pad": 3},
     "groups": [{"name": "own", "purpose": "of this shape"}]})");
  const Problem problem = files.must_load();
  ASSERT_EQ(problem.shapes[0].groups.size(), 4u);
  EXPECT_EQ(problem.shapes[0].groups[0].name, "typical");
  EXPECT_EQ(problem.shapes[0].groups[3].name, "own");
  EXPECT_THAT(problem.shapes[0].groups[2].absent, ElementsAre("w"));
}

TEST(LoadProblem, SaysWhatItCannotExecuteYet) {
  ProblemFixture files;
  files.edit_task("target = \"cpu\"", "target = \"cuda\"");
  EXPECT_THAT(files.must_load().not_yet_executable,
              ElementsAre(HasSubstr("there are no runs on target \"cuda\" yet")));
  files.edit_task("[judge]\noracle = \"check/oracle.py\"\n", "");
  EXPECT_THAT(files.must_load().not_yet_executable, ElementsAre(HasSubstr("there is no oracle")));
  files.edit_task("[reference]\nrun = \"reference/norm.py\"\n", "");
  EXPECT_THAT(files.must_load().not_yet_executable,
              ElementsAre(HasSubstr("there is no [reference]")));
  files.edit_task("[reference]\nrun = \"reference/norm.py\"\n",
                  "[leaderboard]\nboard = \"b\"\nproblem = \"p\"\n");
  EXPECT_THAT(files.must_load().not_yet_executable, ElementsAre(HasSubstr("[leaderboard]")));
  files.write("task.toml", kGoodTask);
  files.edit_shapes(R"({"name": "extreme", "purpose": "the largest and smallest legal values"},)",
                    "");
  EXPECT_THAT(files.must_load().not_yet_executable,
              ElementsAre(HasSubstr("shape 'large' has 2 of at least 3 input groups")));
}

TEST(LoadProblem, HiddenShapesAreReadOnlyWhenAskedFor) {
  ProblemFixture files;
  std::string hidden(kGoodShapes);
  hidden.replace(hidden.find("\"large\""), 7, "\"secret\"");
  files.write("hidden_shapes.json", hidden);
  EXPECT_EQ(files.must_load().hidden_shapes.at(0).name, "secret");
  const auto without = load_problem(files.fs(), "tasks/norm", HiddenShapes::kIgnore);
  ASSERT_TRUE(without);
  EXPECT_THAT(without->hidden_shapes, IsEmpty());
}

TEST(LoadProblem, AHiddenShapeNeedsANameOfItsOwn) {
  ProblemFixture files;
  files.write("hidden_shapes.json", kGoodShapes);
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/hidden_shapes.json: shape 'large' is named like one of "
            "shapes.json; choose another name");
}

TEST(LoadProblem, MissingAndEmptyFilesAreNamed) {
  FakeFs empty;
  ASSERT_TRUE(empty.make_directories("tasks/norm"));
  const auto message = [](FileReader& fs, const Path& folder) {
    return load_problem(fs, folder, HiddenShapes::kLoad).error().message();
  };
  EXPECT_EQ(message(empty, "tasks/none"),
            "cannot read tasks/none: it is no folder; give the folder of a problem, for example "
            "tasks/rmsnorm_cpu");
  EXPECT_EQ(message(empty, "tasks/norm"),
            "cannot read tasks/norm/task.toml: the file does not exist; a problem is a folder with "
            "task.toml, shapes.json and description.md");
  ProblemFixture files;
  files.write("description.md", " \n");
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/description.md: the description is empty; say in it what is "
            "computed: the judge is written from it alone");
  ASSERT_TRUE(files.fs().remove_all("tasks/norm/description.md"));
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/description.md: the file does not exist; say in it what is "
            "computed");
}

TEST(LoadProblem, BadExtentsShowWhenLoading) {
  ProblemFixture files;
  files.edit_task("shape = [\"cols\"]", "shape = [\"cols/3\"]");
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/shapes.json: shape 'large' with group 'typical': the shape of "
            "'w': cannot evaluate 'cols/3': 128 is not a multiple of 3; use ceil_div to round up");
}

TEST(LoadProblem, TensorsMayBeTablesOfTheirOwn) {
  ProblemFixture files;
  files.edit_task("[reference]",
                  "[[signature.inouts]]\nname = \"z\"\ndtype = \"f32\"\nshape = [2]\n"
                  "[reference]");
  EXPECT_EQ(files.must_load().signature.tensors[2].name, "z");
}

TEST(DocumentedExample, Loads) {
  ProblemFixture files;
  files.write("task.toml", documented_example("problem.md", "toml"));
  files.write("shapes.json", documented_example("problem.md", "json"));
  const Problem problem = files.must_load();
  EXPECT_EQ(problem.shapes.size(), 2u);
  EXPECT_THAT(problem.not_yet_executable, IsEmpty());
}

TEST(ShippedTasks, LoadAndCanBeExecuted) {
  const auto fs = make_real_fs();
  const Path tasks = Path(FORGE_SOURCE_DIR) / "tasks";
  const auto names = fs->list(tasks);
  ASSERT_TRUE(names);
  EXPECT_FALSE(names->empty());
  for (const std::string& name : *names) {
    const auto problem = load_problem(*fs, tasks / name, HiddenShapes::kLoad);
    ASSERT_TRUE(problem) << problem.error().message();
    EXPECT_EQ(problem->name, name);
    EXPECT_THAT(not_yet_judgeable(*problem), IsEmpty()) << name;
    EXPECT_FALSE(problem_files(*fs, tasks / name)->empty());
  }
}

TEST(ProblemFiles, AreSortedAndLeaveHiddenFilesAndCachesOut) {
  FakeFs fs;
  for (const char* name : {"task.toml", "reference/a.py", ".git/config", "check/.secret",
                           "check/__pycache__/o.pyc", "check/oracle.py"}) {
    fs.add_file(Path("t") / name, "");
  }
  EXPECT_THAT(*problem_files(fs, "t"),
              ElementsAre("check/oracle.py", "reference/a.py", "task.toml"));
}

}  // namespace
}  // namespace forge
