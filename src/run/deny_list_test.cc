#include "run/deny_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using testing::Contains;

const DenyFacts kFacts{
    ".", ".artifacts/norm_7k2m", {"reference/norm.py", "reference/"}, {"notes.md"}};

bool is_denied(const Path& path) { return first_denied({path}, deny_list(kFacts)) != nullptr; }

TEST(DenyList, HoldsTheReferenceTheSecretsTheHiddenShapesAndWhatTheProblemAdds) {
  for (const char* path :
       {".artifacts/norm_7k2m/problem/reference/norm.py", ".artifacts/norm_7k2m/problem/reference",
        ".artifacts/norm_7k2m/problem/reference/other.h", ".artifacts/norm_7k2m/secrets.json",
        ".artifacts/norm_7k2m/sealed/key", ".artifacts/norm_7k2m/problem/hidden_shapes.json",
        ".artifacts/norm_7k2m/problem/notes.md", "./local.env",
        "tasks/norm-g1/reference/kernel.cpp", "./kernels/norm.cpp", "examples",
        "tasks/../local.env"}) {
    EXPECT_TRUE(is_denied(path)) << path;
  }
}

TEST(DenyList, AFolderThatContainsADeniedFileIsDeniedToo) {
  for (const char* path :
       {".", ".artifacts", ".artifacts/norm_7k2m", ".artifacts/norm_7k2m/problem"}) {
    EXPECT_TRUE(is_denied(path)) << path;
  }
}

TEST(DenyList, WhatAStudentWorksWithIsNotDenied) {
  for (const char* path :
       {".artifacts/norm_7k2m/tree", ".artifacts/norm_7k2m/problem/check",
        ".artifacts/norm_7k2m/milestones/v1", ".artifacts/norm_7k2m/problem/description.md"}) {
    EXPECT_FALSE(is_denied(path)) << path;
  }
}

}  // namespace
}  // namespace forge
