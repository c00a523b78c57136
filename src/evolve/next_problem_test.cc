#include "evolve/next_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_run.h"
#include "problem/load.h"

namespace forge {
namespace {

using testing::HasSubstr;
using testing::Not;

class NextProblemTest : public testing::Test {
 protected:
  NextProblemTest() {
    std::string hidden = *world_.fs.read("tasks/norm/shapes.json");
    hidden.replace(hidden.find("\"large\""), 7, "\"other\"");
    world_.fs.add_file("tasks/norm/hidden_shapes.json", hidden);
    world_.fs.add_file("best/kernel.cpp", "the best kernel\n");
  }
  NextProblem request() {
    NextProblem next;
    next.name = "norm-g1";
    next.frozen = "tasks/norm";
    next.kernel = "best/kernel.cpp";
    next.tolerance = Json::object().set("kinds", Json::array());
    next.goal_ratio = 1.05;
    next.lineage = {1, "norm", "norm", "norm_7k2m", 2.5};
    return next;
  }

  FakeRun world_;
};

TEST_F(NextProblemTest, IsAProblemOfItsOwnWithTheBestAsItsReferenceInSourceMode) {
  const auto written = write_next_problem(request(), "tasks/norm-g1", world_.fs);
  ASSERT_TRUE(written) << written.error().message();
  const auto problem = load_problem(world_.fs, "tasks/norm-g1", HiddenShapes::kLoad);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->name, "norm-g1");
  EXPECT_EQ(problem->goal_ratio, 1.05);
  EXPECT_EQ(problem->reference.mode, ReferenceMode::kSource);
  ASSERT_EQ(problem->reference.implementations.size(), 1u);
  EXPECT_EQ(*world_.fs.read(Path("tasks/norm-g1") / problem->reference.implementations[0].run),
            "the best kernel\n");
  EXPECT_EQ(problem->judge.oracle, "check/oracle.py");
  EXPECT_EQ(problem->judge.tolerance, "check/tolerance.json");
  EXPECT_EQ(problem->start_path, "start/");
  EXPECT_FALSE(problem->hidden_shapes.empty());
  EXPECT_EQ(problem->budget.patience, 5);
  ASSERT_TRUE(problem->lineage);
  EXPECT_EQ(problem->lineage->run, "norm_7k2m");
  EXPECT_EQ(problem->lineage->ratio, 2.5);
}

TEST_F(NextProblemTest, HoldsNothingOfTheOldReference) {
  ASSERT_TRUE(write_next_problem(request(), "tasks/norm-g1", world_.fs));
  EXPECT_FALSE(world_.fs.exists("tasks/norm-g1/reference/norm.py"));
  EXPECT_THAT(*world_.fs.read("tasks/norm-g1/task.toml"), Not(HasSubstr("norm.py")));
}

TEST_F(NextProblemTest, WritingItAgainIsHarmlessAndAnotherOneIsNotOverwritten) {
  ASSERT_TRUE(write_next_problem(request(), "tasks/norm-g1", world_.fs));
  EXPECT_TRUE(write_next_problem(request(), "tasks/norm-g1", world_.fs));
  world_.fs.add_file("best/kernel.cpp", "another kernel\n");
  const auto refused = write_next_problem(request(), "tasks/norm-g1", world_.fs);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kBusy);
  EXPECT_EQ(*world_.fs.read("tasks/norm-g1/reference/kernel.cpp"), "the best kernel\n");
  EXPECT_EQ(world_.fs.list("tasks").value().size(), 2u) << "nothing else is left there";
}

TEST_F(NextProblemTest, ANextOneOfANextOneKeepsNothingTwice) {
  ASSERT_TRUE(write_next_problem(request(), "tasks/norm-g1", world_.fs));
  NextProblem second = request();
  second.name = "norm-g2";
  second.frozen = "tasks/norm-g1";
  second.lineage.generation = 2;
  const auto written = write_next_problem(second, "tasks/norm-g2", world_.fs);
  ASSERT_TRUE(written) << written.error().message();
  const auto problem = load_problem(world_.fs, "tasks/norm-g2", HiddenShapes::kLoad);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->lineage->generation, 2);
  EXPECT_EQ(problem->judge.tolerance, "check/tolerance.json");
}

}  // namespace
}  // namespace forge
