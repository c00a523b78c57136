#include "worker/device_setup.h"

#include "worker/json_fields.h"
#include "worker/setup_image.h"

namespace forge {
namespace {

std::string_view role_name(Direction direction) {
  switch (direction) {
    case Direction::kInput:
      return "in";
    case Direction::kInOut:
      return "inout";
    case Direction::kOutput:
      break;
  }
  return "out";
}

Json tensor_json(const ConcreteTensor& tensor, const BufferPlace& place, const ArenaPlan& plan) {
  const std::uint64_t base = place.region == runner::Region::kInputs ? 0 : plan.inputs_bytes;
  Json json = Json::object();
  json.set("name", tensor.param->name);
  json.set("role", role_name(tensor.param->direction));
  json.set("offset", base + place.offset);
  json.set("bytes", std::uint64_t{tensor.layout.span_bytes()});
  json.set("begin", base + place.pages_begin);
  json.set("end", base + place.pages_end);
  json.set("dtype", dtype_name(tensor.layout.dtype));
  json.set("shape", list_json(tensor.layout.shape));
  json.set("strides", list_json(tensor.layout.strides));
  return json;
}

Json entry_json(const Slot& slot, const Instance& instance, std::uint64_t variant,
                const ArenaPlan& plan) {
  Json entry = Json::object();
  entry.set("variant", variant);
  entry.set("shape", slot.shape);
  entry.set("scalars", scalars_json(instance));
  Json tensors = Json::array();
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    if (!instance.tensors[t].present) continue;
    tensors.push_back(tensor_json(instance.tensors[t], slot.tensors[t], plan));
  }
  entry.set("tensors", std::move(tensors));
  return entry;
}

}  // namespace

std::uint64_t slab_bytes(const ArenaPlan& plan) { return plan.inputs_bytes + plan.outputs_bytes; }

Json device_setup(const DeviceSetup& setup) {
  const std::vector<ShapeInstances>& shapes = *setup.shapes;
  Json json = Json::object();
  json.set("bytes", slab_bytes(*setup.plan));
  json.set("shift", setup.shift);
  json.set("key", std::uint64_t{setup.key});
  json.set("call_seconds", setup.call_seconds);
  Json dims = Json::array();
  std::vector<std::uint64_t> first_variant;
  std::uint64_t variants = 0;
  for (const ShapeInstances& groups : shapes) {
    first_variant.push_back(variants);
    variants += groups.size();
    Json one = Json::object();
    for (const auto& [name, value] : groups.front().dims) one.set(name, value);
    dims.push_back(std::move(one));
  }
  json.set("dims", std::move(dims));
  Json entries = Json::array();
  for (const Slot& slot : setup.plan->slots) {
    const auto shape = static_cast<std::size_t>(slot.shape);
    for (std::size_t group = 0; group < shapes[shape].size(); ++group) {
      entries.push_back(
          entry_json(slot, shapes[shape][group], first_variant[shape] + group, *setup.plan));
    }
  }
  json.set("entries", std::move(entries));
  return json;
}

}  // namespace forge
