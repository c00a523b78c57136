#include "target/cuda/replay_setup.h"

#include "base/json.h"

namespace forge {
namespace {

constexpr std::uint64_t kAlignment = 256;

Result<ReplayRole> role_of(const JsonReader& reader) {
  FORGE_TRY(const std::string name, reader.string("role"));
  if (name == "in") return ReplayRole::kInput;
  if (name == "inout") return ReplayRole::kInOut;
  if (name == "out") return ReplayRole::kOutput;
  return reader.error("role", "must be in, inout or out");
}

Result<ReplayTensor> read_tensor(const JsonReader& reader, std::uint64_t slab_bytes) {
  ReplayTensor tensor;
  FORGE_TRY(tensor.role, role_of(reader));
  FORGE_TRY(tensor.offset, reader.unsigned_integer("offset"));
  FORGE_TRY(tensor.bytes, reader.unsigned_integer("bytes"));
  FORGE_TRY(tensor.begin, reader.unsigned_integer("begin"));
  FORGE_TRY(tensor.end, reader.unsigned_integer("end"));
  const bool inside = tensor.begin <= tensor.offset && tensor.end <= slab_bytes &&
                      tensor.offset <= tensor.end && tensor.bytes <= tensor.end - tensor.offset;
  if (!inside) return reader.error("offset", "must lie within begin, end and the slab");
  if (tensor.offset % kAlignment != 0) return reader.error("offset", "must be a multiple of 256");
  return tensor;
}

Result<ReplayEntry> read_entry(const JsonReader& reader, std::uint64_t slab_bytes) {
  ReplayEntry entry;
  FORGE_TRY(entry.variant, reader.unsigned_integer("variant"));
  FORGE_TRY(const Json* tensors, reader.array("tensors"));
  for (std::size_t i = 0; i < tensors->as_array()->size(); ++i) {
    FORGE_TRY(const ReplayTensor tensor,
              read_tensor(reader.element("tensors", i, (*tensors->as_array())[i]), slab_bytes));
    entry.tensors.push_back(tensor);
  }
  return entry;
}

}  // namespace

Result<ReplaySetup> read_replay_setup(std::string_view json) {
  FORGE_TRY(const Json parsed, parse_json(json, "the trial's setup"));
  const JsonReader reader(parsed, "the trial's setup");
  ReplaySetup setup;
  FORGE_TRY(setup.bytes, reader.unsigned_integer("bytes"));
  FORGE_TRY(setup.shift, reader.unsigned_integer("shift"));
  if (setup.shift > kMaxReplayShift || setup.shift % kAlignment != 0) {
    return reader.error("shift", "must be a multiple of 256, at most 2 MiB");
  }
  FORGE_TRY(setup.call_seconds, reader.number("call_seconds"));
  FORGE_TRY(const std::uint64_t key, reader.unsigned_integer("key"));
  setup.key = static_cast<std::uint32_t>(key);
  FORGE_TRY(const Json* entries, reader.array("entries"));
  for (std::size_t i = 0; i < entries->as_array()->size(); ++i) {
    FORGE_TRY(ReplayEntry entry,
              read_entry(reader.element("entries", i, (*entries->as_array())[i]), setup.bytes));
    setup.entries.push_back(std::move(entry));
  }
  return setup;
}

}  // namespace forge
