#include "judge/python.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "sys/process_fake.h"

namespace forge {
namespace {

using testing::HasSubstr;

class FindTorchPython : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* set = getenv("FK_PYTHON")) saved_ = set;
    unsetenv("FK_PYTHON");
  }
  void TearDown() override {
    unsetenv("FK_PYTHON");
    if (!saved_.empty()) setenv("FK_PYTHON", saved_.c_str(), 1);
  }
  FakeProcessRunner processes_;
  std::string saved_;
};

TEST_F(FindTorchPython, PassesOverAnInterpreterWithoutTorch) {
  processes_.answer({"python3"}, exited_with(1));
  processes_.answer({"/usr/bin/python3"}, exited_with(0));
  const auto python = find_torch_python(processes_);
  ASSERT_TRUE(python.has_value());
  EXPECT_EQ(*python, "/usr/bin/python3");
}

TEST_F(FindTorchPython, TakesWhatFkPythonSaysAndNothingElse) {
  setenv("FK_PYTHON", "/opt/python", 1);
  processes_.answer({"python3"}, exited_with(0));
  processes_.answer({"/opt/python"}, exited_with(0));
  EXPECT_EQ(find_torch_python(processes_).value(), "/opt/python");
  processes_.answer({"/opt/python"}, exited_with(1));
  const auto python = find_torch_python(processes_);
  ASSERT_FALSE(python.has_value());
  EXPECT_THAT(python.error().message(), HasSubstr("FK_PYTHON=/opt/python"));
}

TEST_F(FindTorchPython, SaysWhatToInstallWhereThereIsNone) {
  processes_.answer({"python3"}, exited_with(1));
  processes_.answer({"/usr/bin/python3"},
                    Error{ErrorKind::kNotFound, "cannot start", "/usr/bin/python3", "", ""});
  const auto python = find_torch_python(processes_);
  ASSERT_FALSE(python.has_value());
  EXPECT_THAT(python.error().message(), HasSubstr("python3-torch"));
}

}  // namespace
}  // namespace forge
