#include "target/cuda/artefact.h"

#include "base/json.h"

namespace forge {
namespace {

constexpr std::string_view kDescriptionName = "build.json";

Json ptxas_json(const std::map<std::string, PtxasFacts>& ptxas) {
  Json array = Json::array();
  for (const auto& [name, facts] : ptxas) {
    array.push_back(Json::object()
                        .set("kernel", name)
                        .set("registers", std::int64_t{facts.registers})
                        .set("stack_bytes", std::int64_t{facts.stack_bytes})
                        .set("spill_store_bytes", std::int64_t{facts.spill_store_bytes})
                        .set("spill_load_bytes", std::int64_t{facts.spill_load_bytes}));
  }
  return array;
}

Result<std::map<std::string, PtxasFacts>> ptxas_from_json(const JsonReader& reader) {
  FORGE_TRY(const Json* array, reader.array("ptxas"));
  std::map<std::string, PtxasFacts> ptxas;
  for (std::size_t i = 0; i < array->as_array()->size(); ++i) {
    const JsonReader each = reader.element("ptxas", i, (*array->as_array())[i]);
    FORGE_TRY(const std::string name, each.string("kernel"));
    FORGE_TRY(const auto registers, each.unsigned_integer("registers"));
    FORGE_TRY(const auto stack, each.unsigned_integer("stack_bytes"));
    FORGE_TRY(const auto stores, each.unsigned_integer("spill_store_bytes"));
    FORGE_TRY(const auto loads, each.unsigned_integer("spill_load_bytes"));
    ptxas[name] = {static_cast<std::uint32_t>(registers), static_cast<std::uint32_t>(stack),
                   static_cast<std::uint32_t>(stores), static_cast<std::uint32_t>(loads)};
  }
  return ptxas;
}

Status require_bytes(Fs& fs, const Path& file, const Digest& digest) {
  FORGE_TRY(const std::string bytes, fs.read(file));
  if (digest_of(bytes) == digest) return {};
  return Error{ErrorKind::kCorrupt, "cannot use", file.string(),
               "its bytes are not those that were written", ""};
}

Result<CudaArtefact> read_artefact(Fs& fs, const Path& folder) {
  FORGE_TRY(const std::string text, fs.read(folder / kDescriptionName));
  FORGE_TRY(const Json json, parse_json(text, kDescriptionName));
  const JsonReader reader(json, std::string(kDescriptionName));
  CudaArtefact artefact;
  FORGE_TRY(artefact.source_digest.hex, reader.string("source_digest"));
  FORGE_TRY(artefact.object_digest.hex, reader.string("object_digest"));
  FORGE_TRY(artefact.cubin_digest.hex, reader.string("cubin_digest"));
  FORGE_TRY(artefact.compiler, reader.string("compiler"));
  FORGE_TRY(const Json* command, reader.array("command"));
  for (const Json& word : *command->as_array()) {
    if (word.as_string() == nullptr) return reader.error("command", "must hold strings");
    artefact.command.push_back(*word.as_string());
  }
  FORGE_TRY(artefact.ptxas, ptxas_from_json(reader));
  artefact.shared_object = folder / kCudaObjectName;
  artefact.cubin = folder / kCubinName;
  FORGE_TRY_STATUS(require_bytes(fs, artefact.shared_object, artefact.object_digest));
  FORGE_TRY_STATUS(require_bytes(fs, artefact.cubin, artefact.cubin_digest));
  return artefact;
}

}  // namespace

Result<std::optional<CudaArtefact>> find_cuda_artefact(Fs& fs, const Path& build,
                                                       const Digest& key) {
  const Path folder = build / key.hex;
  if (!fs.exists(folder)) return std::optional<CudaArtefact>();
  auto artefact = read_artefact(fs, folder);
  if (artefact && artefact->source_digest == key) return std::optional(std::move(*artefact));
  FORGE_TRY_STATUS(fs.remove_all(folder));
  return std::optional<CudaArtefact>();
}

Status describe_cuda_artefact(Fs& fs, const Path& folder, CudaArtefact& artefact) {
  artefact.shared_object = folder / kCudaObjectName;
  artefact.cubin = folder / kCubinName;
  FORGE_TRY(const std::string object, fs.read(artefact.shared_object));
  FORGE_TRY(const std::string cubin, fs.read(artefact.cubin));
  artefact.object_digest = digest_of(object);
  artefact.cubin_digest = digest_of(cubin);
  Json command = Json::array();
  for (const std::string& word : artefact.command) command.push_back(word);
  Json json = Json::object();
  json.set("source_digest", artefact.source_digest.hex);
  json.set("object_digest", artefact.object_digest.hex);
  json.set("cubin_digest", artefact.cubin_digest.hex);
  json.set("compiler", artefact.compiler);
  json.set("command", std::move(command));
  json.set("ptxas", ptxas_json(artefact.ptxas));
  return fs.write_atomic(folder / kDescriptionName, json.dump_pretty());
}

}  // namespace forge
