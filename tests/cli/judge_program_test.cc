// forge judge from end to end: a verdict of its own for each way in which a kernel can end, the
// exit code that goes with it, and what its JSON holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "program_rig.h"

namespace forge {
namespace {

using testing::HasSubstr;

constexpr const char* kHead =
    "#include \"forge_args.h\"\n#include <cstdio>\n#include <cstdlib>\n"
    "extern \"C\" int forge_launch(const Args* args, void*) {\n";
constexpr const char* kRight =
    "  for (std::int64_t i = 0; i < args->dims.n; ++i)\n"
    "    args->y[i] = args->a * args->x[i] + args->z[i];\n";

std::string kernel(const std::string& body) { return kHead + body + "  return 0;\n}\n"; }

class JudgeProgram : public testing::Test {
 protected:
  ProcessResult judge(const std::string& source) {
    rig_.write(rig_.folder() / "kernel.cpp", source);
    return rig_.forge({"judge", "saxpy", "kernel.cpp", "--json"});
  }

  static Json parse(const ProcessResult& result) {
    EXPECT_EQ(std::count(result.standard_output.begin(), result.standard_output.end(), '\n'), 1)
        << result.standard_output << result.standard_error;
    auto json = parse_json(result.standard_output, "forge judge --json");
    EXPECT_TRUE(json) << json.error().message() << result.standard_error;
    return json ? *json : Json::object();
  }

  static std::string text(const Json& json, std::string_view key) {
    const Json* value = json.find(key);
    const std::string* found = value == nullptr ? nullptr : value->as_string();
    EXPECT_NE(found, nullptr) << key;
    return found == nullptr ? "" : *found;
  }

  void expect_fails(const std::string& source, const std::string& verdict,
                    const std::string& reason) {
    const ProcessResult result = judge(source);
    EXPECT_EQ(exit_code(result), 2) << result.standard_error;
    const Json json = parse(result);
    EXPECT_EQ(text(json, "verdict"), verdict) << text(json, "reason");
    EXPECT_THAT(text(json, "reason"), HasSubstr(reason));
    const Json* ratio = json.find("ratio");
    ASSERT_NE(ratio, nullptr);
    EXPECT_TRUE(ratio->is_null());
    ASSERT_NE(json.find("shapes"), nullptr);
    EXPECT_EQ(*json.find("shapes"), Json::array());
  }

  ProgramRig rig_{CacheKind::kShared};
};

// Exactly an interval: point, low and high, in order of size.
void expect_ratio(const Json* ratio) {
  ASSERT_NE(ratio, nullptr);
  const Json::Object* members = ratio->as_object();
  ASSERT_NE(members, nullptr) << ratio->dump();
  ASSERT_EQ(members->size(), 3u);
  double values[3];
  const char* keys[] = {"point", "low", "high"};
  for (int i = 0; i < 3; ++i) {
    const Json* value = ratio->find(keys[i]);
    ASSERT_TRUE(value != nullptr && value->as_number(values[i])) << ratio->dump();
  }
  EXPECT_LE(values[1], values[0]);
  EXPECT_LE(values[0], values[2]);
  EXPECT_GT(values[0], 0);
}

TEST_F(JudgeProgram, ARightKernelPassesWithARatioOverallAndByShape) {
  const ProcessResult result = judge(kernel(kRight));
  EXPECT_EQ(exit_code(result), 0) << result.standard_output << result.standard_error;
  const Json json = parse(result);
  EXPECT_EQ(text(json, "verdict"), "passed");
  text(json, "reason");
  expect_ratio(json.find("ratio"));
  ASSERT_NE(json.find("shapes"), nullptr);
  const Json::Array* shapes = json.find("shapes")->as_array();
  ASSERT_TRUE(shapes != nullptr && shapes->size() == 1) << json.dump();
  EXPECT_EQ(text(shapes->front(), "shape"), "odd");
  expect_ratio(shapes->front().find("ratio"));
}

TEST_F(JudgeProgram, EachWayToFailHasAVerdictAndExitCode2) {
  expect_fails(kernel("  for (std::int64_t i = 0; i < args->dims.n; ++i) args->y[i] = 0;\n"),
               "wrong", "y");
  expect_fails(kernel("  nonsense;\n"), "compile_error", "nonsense");
  expect_fails(kernel("  *static_cast<volatile int*>(nullptr) = 1;\n"), "crash", "null pointer");
  expect_fails(kernel(std::string(kRight) + "  std::fopen(\"/etc/passwd\", \"r\");\n"), "refused",
               "openat");
  expect_fails(kernel("  return 7;\n"), "launch_error", "7");
  EXPECT_THAT(rig_.processes_left(), testing::IsEmpty());
}

// Waits for as long as a call may take.
TEST_F(JudgeProgram, AKernelThatNeverReturnsTimesOut) {
  expect_fails(kernel("  volatile bool on = true;\n  while (on) {}\n"), "timeout",
               "had not returned");
}

TEST_F(JudgeProgram, AMissingKernelOrProblemIsAnErrorInOneLine) {
  expect_one_line_error(rig_.forge({"judge", "saxpy", "none.cpp", "--json"}),
                        {"forge judge: cannot read none.cpp", "there is no such file"});
  rig_.write(rig_.folder() / "kernel.cpp", kernel(kRight));
  expect_one_line_error(rig_.forge({"judge", "none", "kernel.cpp", "--json"}),
                        {"forge judge: ", "none"});
}

// A CUDA kernel is compiled and planned where no device is; without nvcc that is said.
TEST_F(JudgeProgram, ACudaKernelEndsWithItsPlan) {
  const std::string task = FORGE_SOURCE_DIR "/tests/tasks/saxpy_cuda";
  const auto result = rig_.forge({"judge", task, task + "/start/kernel.cu", "--explain"});
  if (result.standard_error.find("cannot find a CUDA compiler") != std::string::npos) {
    GTEST_SKIP() << result.standard_error;
  }
  EXPECT_EQ(result.describe_end(), "exited with 2") << result.standard_error;
  EXPECT_THAT(result.standard_output, HasSubstr("no CUDA device here"));
  EXPECT_THAT(result.standard_output, HasSubstr("saxpy<<<8, 128>>>(x, z, y"));
}

}  // namespace
}  // namespace forge
