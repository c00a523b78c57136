#include "worker/setup_image.h"

#include <cstring>

#include "worker/json_fields.h"

namespace forge {
namespace {

using runner::TableRef;

// Appends tables to one block of memory, each aligned for its records.
class TableWriter {
 public:
  TableWriter() : bytes_(sizeof(runner::SetupHeader)) {}

  template <typename T>
  TableRef add(const std::vector<T>& records) {
    bytes_.resize((bytes_.size() + 15) / 16 * 16);
    const TableRef ref{bytes_.size(), records.size()};
    const auto* from = reinterpret_cast<const std::byte*>(records.data());
    bytes_.insert(bytes_.end(), from, from + records.size() * sizeof(T));
    return ref;
  }
  std::vector<std::byte> finish(const runner::SetupHeader& header) {
    std::memcpy(bytes_.data(), &header, sizeof header);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

struct ArgsTables {
  std::vector<std::byte> bytes;  // images of Dims and Args, each 64-byte aligned
  std::vector<runner::ShapeEntry> shapes;
  std::vector<runner::ArgsEntry> entries;
  std::vector<runner::Relocation> relocations;

  std::uint64_t add_image(const std::vector<std::byte>& image) {
    bytes.resize((bytes.size() + 63) / 64 * 64);
    const std::uint64_t offset = bytes.size();
    bytes.insert(bytes.end(), image.begin(), image.end());
    return offset;
  }
};

void add_entry(ArgsTables& tables, const ArgsLayout& layout, const Signature& signature,
               const Slot& slot, const Instance& instance) {
  runner::ArgsEntry entry{};
  const std::vector<std::byte> image = args_image(layout, signature, instance);
  entry.image_offset = tables.add_image(image);
  entry.image_bytes = image.size();
  entry.first_relocation = tables.relocations.size();
  entry.shape = static_cast<std::uint32_t>(slot.shape);
  for (const ArgsField& field : layout.fields) {
    if (field.kind == ArgsField::Kind::kWorkspace) entry.workspace_offset = field.offset;
    if (field.kind == ArgsField::Kind::kWorkspaceBytes) entry.workspace_bytes_offset = field.offset;
    if (field.kind != ArgsField::Kind::kTensor || !instance.tensors[field.index].present) continue;
    const BufferPlace& place = slot.tensors[field.index];
    tables.relocations.push_back({field.offset, place.region, 0, place.offset});
  }
  entry.relocations = tables.relocations.size() - entry.first_relocation;
  tables.entries.push_back(entry);
}

Json tensor_json(const ConcreteTensor& tensor, const BufferPlace& place) {
  Json json = Json::object();
  json.set("name", tensor.param->name);
  json.set("region", static_cast<int>(place.region));
  json.set("offset", place.offset);
  json.set("dtype", dtype_name(tensor.layout.dtype));
  json.set("shape", list_json(tensor.layout.shape));
  json.set("strides", list_json(tensor.layout.strides));
  json.set("writable", tensor.param->direction != Direction::kInput);
  return json;
}

Json entry_json(const Slot& slot, const Instance& instance) {
  Json entry = Json::object();
  entry.set("shape", slot.shape);
  entry.set("scalars", scalars_json(instance));
  Json tensors = Json::array();
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    if (instance.tensors[t].present) {
      tensors.push_back(tensor_json(instance.tensors[t], slot.tensors[t]));
    }
  }
  entry.set("tensors", std::move(tensors));
  return entry;
}

}  // namespace

Json scalars_json(const Instance& instance) {
  Json scalars = Json::object();
  for (const ConcreteScalar& scalar : instance.scalars) {
    std::visit([&](const auto& value) { scalars.set(scalar.param->name, value); }, scalar.value);
  }
  return scalars;
}

EntryIndex::EntryIndex(const ArenaPlan& plan, const std::vector<ShapeInstances>& shapes) {
  for (const Slot& slot : plan.slots) {
    first_.push_back(count_);
    count_ += static_cast<std::uint32_t>(shapes[static_cast<std::size_t>(slot.shape)].size());
  }
}

std::vector<std::byte> runner_setup(const SetupRequest& request) {
  const ArgsLayout layout = args_layout(*request.signature);
  ArgsTables tables;
  for (const ShapeInstances& groups : *request.shapes) {
    const std::vector<std::byte> dims = dims_image(*request.signature, groups.front());
    tables.shapes.push_back({tables.add_image(dims), dims.size()});
  }
  for (const Slot& slot : request.plan->slots) {
    for (const Instance& instance : (*request.shapes)[static_cast<std::size_t>(slot.shape)]) {
      add_entry(tables, layout, *request.signature, slot, instance);
    }
  }
  TableWriter writer;
  runner::SetupHeader header{};
  header.magic = runner::kMagic;
  header.version = runner::kVersion;
  header.confinement = request.confinement;
  header.memory_limit_bytes = request.memory_limit_bytes;
  header.inputs_bytes = request.plan->inputs_bytes;
  header.outputs_bytes = request.plan->outputs_bytes;
  header.initialisers = writer.add(request.initialisers);
  header.shapes = writer.add(tables.shapes);
  header.entries = writer.add(tables.entries);
  header.relocations = writer.add(tables.relocations);
  header.guards = writer.add(request.plan->guards);
  header.bytes = writer.add(tables.bytes);
  return writer.finish(header);
}

Json python_setup(const SetupRequest& request) {
  Json setup = Json::object();
  setup.set("inputs_bytes", request.plan->inputs_bytes);
  setup.set("outputs_bytes", request.plan->outputs_bytes);
  Json dims = Json::array();
  for (const ShapeInstances& groups : *request.shapes) {
    Json one = Json::object();
    for (const auto& [name, value] : groups.front().dims) one.set(name, value);
    dims.push_back(std::move(one));
  }
  setup.set("dims", std::move(dims));
  Json entries = Json::array();
  for (const Slot& slot : request.plan->slots) {
    for (const Instance& instance : (*request.shapes)[static_cast<std::size_t>(slot.shape)]) {
      entries.push_back(entry_json(slot, instance));
    }
  }
  setup.set("entries", std::move(entries));
  return setup;
}

}  // namespace forge
