// One CUDA kernel of these tests and what is to become of it.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "cuda/cuda_rig.h"

namespace forge {

// Made once and never destroyed: it serves every test of a program.
inline CudaRig& rig() {
  static CudaRig& shared = *new CudaRig(Path(FORGE_SOURCE_DIR) / "tests/tasks/plan_cuda");
  return shared;
}

struct KernelCase {
  const char* name;     // of the test
  const char* file;     // below tests/cuda/
  const char* verdict;  // "planned", or as verdict_name says it
  const char* words;    // that the reason holds; of a plan: a line of its explanation
};

inline void PrintTo(const KernelCase& kernel, std::ostream* out) { *out << kernel.file; }

inline std::string case_name(const testing::TestParamInfo<KernelCase>& info) {
  return info.param.name;
}

}  // namespace forge
