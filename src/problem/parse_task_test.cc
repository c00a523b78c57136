// Every way of getting task.toml wrong, each with the one line that the user sees.
#include <gtest/gtest.h>

#include <string>

#include "problem/problem_fixture.h"

namespace forge {
namespace {

struct BadTask {
  const char* name;
  const char* from;     // replaced in kGoodTask …
  const char* to;       // … by this
  const char* message;  // after "cannot read tasks/norm/task.toml:"
};

constexpr const char* kRun = "run = \"reference/norm.py\"";
constexpr const char* kX = "{ name = \"x\", dtype = \"bf16\", shape = [\"rows\", \"cols\"] }";
constexpr const char* kPad = "{ name = \"pad\", dtype = \"i32\" }";

const BadTask kBadTasks[] = {
    // The document.
    {"SyntaxError", "[judge]", "[judge",
     "11: Error while parsing table header: expected ']', saw '\\n'"},
    {"DuplicateKey", "[judge]", "[reference]",
     "11: Error while parsing table header: cannot redefine existing table 'reference'"},
    {"UnknownTopLevelKey", "target =", "targte = \"cpu\"\ntarget =",
     "2: unknown key 'targte' at the top level; did you mean 'target'?"},
    {"MissingName", "name = \"norm\"", "", "1: missing key 'name' at the top level"},
    {"NameIsANumber", "\"norm\"", "3", "1: 'name' must be a string"},
    {"NameWithSlash", "\"norm\"", "\"a/b\"",
     "1: the name 'a/b' has characters other than letters, digits, '_', '-' and '.'; choose "
     "another name"},
    {"UnknownTarget", "\"cpu\"", "\"gpu\"", "2: unknown target 'gpu'; known: cpu, cuda"},
    {"SignatureMisspelt", "[signature]", "[signatur]",
     "3: unknown key 'signatur' at the top level; did you mean 'signature'?"},
    {"JudgeSubtable", "[judge]\n", "[judge.deep]\n",
     "11: unknown key 'deep' in [judge]; known: oracle, author, tolerance"},

    // [signature]
    {"UnknownSignatureKey", "dims =", "shapes = []\ndims =",
     "4: unknown key 'shapes' in [signature]; did you mean 'scalars'?"},
    {"DimsIsNoArray", "[\"rows\", \"cols\"]\n", "\"rows\"\n",
     "4: 'dims' in [signature] must be an array of strings"},
    {"DimIsKeyword", "\"rows\", \"cols\"]\n", "\"rows\", \"cols\", \"int\"]\n",
     "4: the name 'int' in [signature] is a C++ keyword; choose another name"},
    {"DimTwice", "\"rows\", \"cols\"]\n", "\"rows\", \"rows\"]\n",
     "4: the name 'rows' in [signature] is already a dim; dims, scalars and tensors share one "
     "namespace"},
    {"ScalarLikeDim", "\"eps\"", "\"rows\"",
     "5: the name 'rows' in scalars[0] of [signature] is already a dim; dims, scalars and tensors "
     "share one namespace"},
    {"ScalarReserved", "\"eps\"", "\"workspace\"",
     "5: the name 'workspace' in scalars[0] of [signature] is reserved by the kernel interface; "
     "choose another name"},
    {"ScalarWithoutType", kPad, "{ name = \"pad\" }",
     "5: missing key 'dtype' in scalars[1] of [signature]"},
    {"TensorLikeScalar", "\"x\"", "\"eps\"",
     "6: the name 'eps' in inputs[0] of [signature] is already a scalar; dims, scalars and tensors "
     "share one namespace"},
    {"TensorTwice", "\"w\"", "\"x\"",
     "7: the name 'x' in inputs[1] of [signature] is already a tensor; dims, scalars and tensors "
     "share one namespace"},
    {"TensorNoIdentifier", "\"w\"", "\"2w\"",
     "7: the name '2w' in inputs[1] of [signature] is no C identifier; choose another name"},
    {"TensorStridesName", "\"w\"", "\"w_strides\"",
     "7: the name 'w_strides' in inputs[1] of [signature] ends in '_strides', which the kernel "
     "interface reserves; choose another name"},
    {"UnknownDtype", "name = \"y\", dtype = \"bf16\"", "name = \"y\", dtype = \"bf61\"",
     "8: unknown dtype 'bf61' in outputs[0] of [signature]; did you mean 'bf16'?"},
    {"UnknownTensorKey", "optional", "optoinal",
     "7: unknown key 'optoinal' in inputs[1] of [signature]; did you mean 'optional'?"},
    {"ShapeMissing", ", shape = [\"cols\"]", "",
     "7: missing key 'shape' in inputs[1] of [signature]; a single element has shape = []"},
    {"ShapeUnknownName", "[\"cols\"]", "[\"clos\"]",
     "7: 'clos' of 'shape' in inputs[1] of [signature] uses 'clos', which is no dim and no integer "
     "scalar; did you mean 'cols'?"},
    {"ShapeFloatScalar", "[\"cols\"]", "[\"eps\"]",
     "7: 'eps' of 'shape' in inputs[1] of [signature] uses 'eps', which is no dim and no integer "
     "scalar; only integer scalars may be used in expressions"},
    {"ShapeFraction", "[\"cols\"]", "[1.5]",
     "7: 'shape' in inputs[1] of [signature] must hold integers or expressions in strings"},
    {"ShapeBadExpression", "[\"cols\"]", "[\"cols+\"]",
     "7: 'shape' in inputs[1] of [signature] has the bad expression 'cols+': expected a number, a "
     "name or '(' at its end"},
    {"StridesRank", kX,
     "{ name = \"x\", dtype = \"bf16\", shape = [\"rows\", \"cols\"], strides = [1] }",
     "6: 'strides' in inputs[0] of [signature] has 1 entries, but 'shape' has 2; give one stride, "
     "in elements, for each dimension"},
    {"RangeOfFloats", "optional = true", "range = [0, 1]",
     "7: 'range' in inputs[1] of [signature] is only for integer tensors"},
    {"RangeOfThree", kX, "{ name = \"x\", dtype = \"i32\", shape = [], range = [0, 1, 2] }",
     "6: 'range' in inputs[0] of [signature] must be [lowest, highest]"},
    {"RangeBackwards", kX, "{ name = \"x\", dtype = \"i32\", shape = [], range = [3, 2] }",
     "6: 'range' in inputs[0] of [signature] is empty: 3 is above 2"},
    {"MeaningOfFloats", "optional = true", "meaning = \"offsets\"",
     "7: 'meaning' in inputs[1] of [signature] is only for integer tensors"},
    {"UnknownMeaning", kX, "{ name = \"x\", dtype = \"i32\", shape = [], meaning = \"offset\" }",
     "6: unknown meaning 'offset' in inputs[0] of [signature]; did you mean 'offsets'?"},
    {"OptionalOutput", "outputs = [{ ", "outputs = [{ optional = true, ",
     "8: 'optional' in outputs[0] of [signature] is only for inputs"},
    {"NoOutputs", "outputs = ", "inouts = [] #",
     "3: [signature] has no outputs and no inouts; a kernel must write something: add outputs = [{ "
     "name, dtype, shape }]"},

    // [work], [build], [tolerance]
    {"WorkUnknownName", "[reference]", "[work]\nbytes = \"4*row\"\n[reference]",
     "10: '4*row' of 'bytes' in [work] uses 'row', which is no dim and no integer scalar; did you "
     "mean 'rows'?"},
    {"UnknownStandard", "[reference]", "[build]\nstandard = \"c++23\"\n[reference]",
     "10: unknown standard 'c++23' in [build]; known: c++20, gnu++20"},
    {"IncludeIsAFile", "[reference]", "[build]\nincludes = [\"include/util.h\"]\n[reference]",
     "10: 'include/util.h' of 'includes' in [build] is a file; name a folder"},
    {"HiddenPath", "[reference]", "[build]\nfiles = [\".cache/secret.h\"]\n[reference]",
     "10: '.cache/secret.h' of 'files' in [build] is hidden or a cache, which is never frozen into "
     "a run; give a path relative to the problem's folder and inside it"},
    {"EmptyFlag", "[reference]", "[build]\nflags = [\"\"]\n[reference]",
     "10: 'flags' in [build] holds an empty string"},
    {"ToleranceOfInput", "[reference]", "[tolerance.x]\nfactor = 2\n[reference]",
     "9: [tolerance.x] names no output or in-out; known: y"},
    {"ToleranceEmpty", "[reference]", "[tolerance.y]\n[reference]",
     "9: [tolerance.y] is empty; give 'factor', 'floor' or both"},
    {"ToleranceNegative", "[reference]", "[tolerance.y]\nfloor = -1\n[reference]",
     "10: 'floor' in [tolerance.y] must be at least 0"},
    {"ToleranceNan", "[reference]", "[tolerance.y]\nfactor = nan\n[reference]",
     "10: 'factor' in [tolerance.y] must be a finite number"},

    // [reference]
    {"ReferenceWithoutRun", kRun, "source = [\"reference/norm.py\"]",
     "9: missing key 'run' in [reference]; name the reference's file, or leave [reference] out to "
     "have one written"},
    {"ReferenceMissing", kRun, "run = \"reference/none.py\"",
     "10: 'reference/none.py' of 'run' in [reference] does not exist; create it in tasks/norm or "
     "correct the path"},
    {"ReferenceOutside", kRun, "run = \"../other/norm.py\"",
     "10: '../other/norm.py' of 'run' in [reference] leaves the problem's folder; give a path "
     "relative to the problem's folder and inside it"},
    {"ReferenceAbsolute", kRun, "run = \"/tasks/norm/norm.py\"",
     "10: '/tasks/norm/norm.py' of 'run' in [reference] is absolute; give a path relative to the "
     "problem's folder and inside it"},
    {"ReferenceIsAFolder", kRun, "run = \"reference\"",
     "10: 'reference' of 'run' in [reference] is a folder; name a file"},
    {"ReferenceTwice", kRun, "run = [\"reference/norm.py\",\n\"reference/norm.py\"]",
     "11: 'reference/norm.py' stands twice in 'run' in [reference]"},
    {"ReferenceNone", kRun, "run = []",
     "10: 'run' in [reference] must be a path, or an array of paths and { path, libraries }"},
    {"ReferenceIsANumber", kRun, "run = [\"reference/norm.py\", 3]",
     "10: 'run' in [reference] must be a path, or an array of paths and { path, libraries }"},
    {"ReferenceEntryWithoutPath", kRun, "run = [{ libraries = [\"dnnl\"] }]",
     "10: missing key 'path' in run[0] of [reference]"},
    {"ReferenceEntryUnknownKey", kRun,
     "run = [{ path = \"reference/norm.cpp\", library = \"dnnl\" }]",
     "10: unknown key 'library' in run[0] of [reference]; did you mean 'libraries'?"},
    {"ReferenceEntryLibrariesOfPython", kRun,
     "run = [{ path = \"reference/norm.py\", libraries = [\"dnnl\"] }]",
     "10: 'libraries' in run[0] of [reference] is only for C++ and CUDA references; a Python "
     "reference imports what it needs"},
    {"ReferenceCudaOnCpu", kRun, "run = \"reference/norm.cu\"",
     "10: 'reference/norm.cu' of 'run' in [reference] is CUDA, but target is \"cpu\"; set target = "
     "\"cuda\" or name a .py or .cpp file"},
    {"ReferenceUnknownLanguage", kRun, "run = \"reference/norm.rs\"",
     "10: 'reference/norm.rs' of 'run' in [reference] is neither .py nor .cpp nor .cu; wrap other "
     "code in a Python file that calls it"},
    {"LibrariesOfPython", kRun, "run = \"reference/norm.py\"\nlibraries = [\"dnnl\"]",
     "11: 'libraries' in [reference] is only for C++ and CUDA references; a Python reference "
     "imports what it needs"},
    {"LibraryIsAFlag", kRun, "run = \"reference/norm.cpp\"\nlibraries = [\"-lm\"]",
     "11: '-lm' of 'libraries' in [reference] is no library name; name it as after the linker's "
     "-l, "
     "for example \"dnnl\""},
    {"BlackboxIsAString", kRun, "run = \"reference/norm.py\"\nblackbox = \"yes\"",
     "11: 'blackbox' in [reference] must be true or false"},
    {"ReferenceAndLeaderboard", "[judge]", "[leaderboard]\nboard = \"b\"\nproblem = \"p\"\n[judge]",
     "11: [leaderboard] and [reference] can't both be given; remove one of them"},

    // [judge], [start], [goal], [budget]
    {"OracleMissing", "oracle = \"check/oracle.py\"", "author = \"me\"",
     "11: missing key 'oracle' in [judge]"},
    {"OracleLanguage", "check/oracle.py", "check/oracle.rs",
     "12: 'check/oracle.rs' of 'oracle' in [judge] is neither .py nor .cpp"},
    {"StartWithoutKernel", "[judge]", "[start]\npath = \"include\"\n[judge]",
     "12: 'include' of 'path' in [start] holds no kernel.cpp; a start for target \"cpu\" is a "
     "folder "
     "with kernel.cpp"},
    {"GoalZero", "[judge]", "[goal]\nratio = 0\n[judge]", "12: 'ratio' in [goal] must be above 0"},
    {"BudgetHours", "[judge]", "[budget]\nhours = 0\n[judge]",
     "12: 'hours' in [budget] must be above 0"},
    {"BudgetPatience", "[judge]", "[budget]\npatience = 0\n[judge]",
     "12: 'patience' in [budget] must be at least 1"},
    {"BudgetTokensFraction", "[judge]", "[budget]\ntokens = 1.5\n[judge]",
     "12: 'tokens' in [budget] must be an integer"},
    {"BudgetUnknownKey", "[judge]", "[budget]\nhour = 1\n[judge]",
     "12: unknown key 'hour' in [budget]; did you mean 'hours'?"},
    {"BudgetIsADate", "[judge]", "[budget]\nhours = 1979-05-27\n[judge]",
     "12: 'hours' in [budget] must be a finite number"},
};

class BadTaskTest : public ::testing::TestWithParam<BadTask> {};

TEST_P(BadTaskTest, IsRefusedWithFileLineKeyAndRemedy) {
  ProblemFixture files;
  files.edit_task(GetParam().from, GetParam().to);
  EXPECT_EQ(files.load_message(),
            std::string("cannot read tasks/norm/task.toml:") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Task, BadTaskTest, ::testing::ValuesIn(kBadTasks),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParseTask, ATaskWithoutSignatureSaysSo) {
  ProblemFixture files;
  files.write("task.toml", "name = \"n\"\ntarget = \"cpu\"\n");
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/task.toml:1: missing table [signature]; declare the kernel's "
            "dims, inputs and outputs in it");
}

TEST(ParseTask, ToleranceOfAnIntegerOutputIsRefused) {
  ProblemFixture files;
  std::string task(kGoodTask);
  const std::string output = "name = \"y\", dtype = \"bf16\"";
  task.replace(task.find(output), output.size(), "name = \"y\", dtype = \"i32\"");
  files.write("task.toml", task + "[tolerance.y]\nfactor = 2\n");
  EXPECT_EQ(files.load_message(),
            "cannot read tasks/norm/task.toml:13: [tolerance.y] names an output of i32, which must "
            "match exactly; remove it, or let the oracle's compare() decide");
}

}  // namespace
}  // namespace forge
