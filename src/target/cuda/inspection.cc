#include "target/cuda/inspection.h"

#include <algorithm>
#include <set>

#include "target/cuda/plan_validate.h"

namespace forge {
namespace {

std::vector<LaunchShape> launch_shapes(const InspectionInput& input, std::uint32_t kernel) {
  std::set<OccupancyQuestion> seen;
  std::vector<LaunchShape> shapes;
  for (const PlanVariant& variant : input.plan.variants) {
    for (const PlanStep& step : variant.steps) {
      const auto* launch = std::get_if<PlanLaunch>(&step);
      if (launch == nullptr || launch->kernel != kernel) continue;
      const auto threads = static_cast<std::uint32_t>(launch->block.count());
      const OccupancyQuestion question{input.plan.kernels[kernel], threads, launch->dynamic_shared};
      if (!seen.insert(question).second) continue;
      const auto answer = input.occupancy.find(question);
      LaunchShape shape{threads, launch->dynamic_shared, 0, 0};
      if (answer != input.occupancy.end()) shape.blocks = answer->second;
      shape.occupancy =
          static_cast<double>(shape.blocks) * threads / input.device.max_threads_per_multiprocessor;
      shapes.push_back(shape);
    }
  }
  return shapes;
}

Json launches_json(const std::vector<LaunchShape>& launches) {
  Json array = Json::array();
  for (const LaunchShape& launch : launches) {
    array.push_back(Json::object()
                        .set("threads", std::int64_t{launch.threads})
                        .set("dynamic_shared_bytes", std::int64_t{launch.dynamic_shared})
                        .set("blocks_per_multiprocessor", std::int64_t{launch.blocks})
                        .set("occupancy", launch.occupancy));
  }
  return array;
}

Json parameters_json(const std::vector<CubinParameter>& parameters) {
  Json array = Json::array();
  for (const CubinParameter& parameter : parameters) {
    array.push_back(Json::object()
                        .set("offset", std::int64_t{parameter.offset})
                        .set("bytes", std::int64_t{parameter.bytes}));
  }
  return array;
}

}  // namespace

std::vector<KernelInspection> inspect_kernels(const InspectionInput& input) {
  std::vector<KernelInspection> kernels;
  for (std::uint32_t i = 0; i < input.plan.kernels.size(); ++i) {
    const std::string& name = input.plan.kernels[i];
    const CubinKernel* code = input.cubin.find(name);
    FORGE_CHECK(code != nullptr);
    KernelInspection kernel;
    kernel.name = name;
    kernel.readable = readable_kernel_name(name);
    kernel.code = *code;
    if (const auto facts = input.ptxas.find(name); facts != input.ptxas.end()) {
      kernel.ptxas = facts->second;
    }
    kernel.launches = launch_shapes(input, i);
    if (input.sass) {
      const auto counts = input.sass->find(name);
      if (counts != input.sass->end()) kernel.sass = counts->second;
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::map<std::string, double> mechanism_metrics(const std::vector<KernelInspection>& kernels) {
  std::map<std::string, double> metrics;
  const auto largest = [&](const char* name, double value) {
    metrics[name] = std::max(metrics[name], value);
  };
  double occupancy = 1;
  for (const KernelInspection& kernel : kernels) {
    largest("registers", kernel.code.registers);
    largest("stack_bytes", kernel.code.stack_bytes);
    largest("static_shared_bytes", kernel.code.static_shared);
    metrics["spill_bytes"] += kernel.ptxas.spill_store_bytes + kernel.ptxas.spill_load_bytes;
    for (const LaunchShape& launch : kernel.launches) {
      largest("dynamic_shared_bytes", launch.dynamic_shared);
      occupancy = std::min(occupancy, launch.occupancy);
    }
    if (!kernel.sass) continue;
    for (const auto& [name, count] : *kernel.sass) {
      metrics["sass." + name] += static_cast<double>(count);
    }
  }
  if (!kernels.empty()) metrics["occupancy"] = occupancy;
  return metrics;
}

Json to_json(const KernelInspection& kernel) {
  Json json = Json::object();
  json.set("name", kernel.name);
  json.set("readable", kernel.readable);
  json.set("registers", std::int64_t{kernel.code.registers});
  json.set("spill_store_bytes", std::int64_t{kernel.ptxas.spill_store_bytes});
  json.set("spill_load_bytes", std::int64_t{kernel.ptxas.spill_load_bytes});
  json.set("stack_bytes", std::int64_t{kernel.code.stack_bytes});
  json.set("static_shared_bytes", std::int64_t{kernel.code.static_shared});
  json.set("code_bytes", kernel.code.code_bytes);
  json.set("parameters", parameters_json(kernel.code.parameters));
  json.set("launches", launches_json(kernel.launches));
  Json sass;
  if (kernel.sass) {
    sass = Json::object();
    for (const auto& [name, count] : *kernel.sass) sass.set(name, count);
  }
  json.set("sass", std::move(sass));
  return json;
}

}  // namespace forge
