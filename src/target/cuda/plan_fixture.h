// For tests: the cubins of fuzz/corpus/cubin/ and a plan for one of them.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "target/cuda/cubin.h"
#include "target/cuda/plan_codec.h"

namespace forge {

inline std::string test_cubin_bytes(const std::string& name) {
  std::ifstream file(std::string(FORGE_SOURCE_DIR) + "/fuzz/corpus/cubin/" + name + ".cubin",
                     std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

inline Cubin test_cubin(const std::string& name) {
  const std::string bytes = test_cubin_bytes(name);
  auto cubin = parse_cubin(std::as_bytes(std::span(bytes)), name);
  if (!cubin) invariant_failed(__FILE__, __LINE__, cubin.error().message());
  return std::move(*cubin);
}

inline PlanBlob pointer_blob(PlanAddress target) {
  return {std::string(8, '\0'), {{0, target}}, {}};
}

// One variant: a memset of the workspace, a write to a constant, a copy and a launch.
inline Plan example_plan() {
  const Cubin cubin = test_cubin("globals");
  Plan plan;
  plan.arch = "sm_90a";
  plan.cubin = digest_of(test_cubin_bytes("globals"));
  plan.kernels = {"uses_all"};
  plan.symbols = cubin.symbols;
  PlanVariant variant;
  variant.shape = "long";
  variant.group = "typical";
  variant.buffers = {{PlanBufferKind::kInput, "x", 4096},
                     {PlanBufferKind::kOutput, "y", 4096},
                     {PlanBufferKind::kWorkspace, "workspace", 512}};
  std::uint32_t table = 0;
  while (plan.symbols.at(table).name != "table") ++table;
  PlanLaunch launch;
  launch.kernel = 0;
  launch.grid = {4, 1, 1};
  launch.block = {128, 1, 1};
  launch.parameters = pointer_blob({PlanSpace::kBuffer, 1, 0});
  variant.steps = {PlanMemset{{PlanSpace::kBuffer, 2, 0}, 0xff, 512},
                   PlanWrite{{PlanSpace::kSymbol, table, 4}, {std::string("\1\2\3\4", 4), {}, {}}},
                   PlanCopy{{PlanSpace::kBuffer, 1, 16}, {PlanSpace::kBuffer, 0, 0}, 64}, launch};
  plan.variants = {variant};
  return plan;
}

inline PlanTensorMap example_map(std::uint32_t buffer) {
  PlanTensorMap map;
  map.data_type = 7;  // FLOAT32
  map.base = {PlanSpace::kBuffer, buffer, 0};
  map.sizes = {32, 16};
  map.strides = {128};
  map.box = {32, 8};
  map.element_strides = {1, 1};
  map.swizzle = 3;
  return map;
}

}  // namespace forge
