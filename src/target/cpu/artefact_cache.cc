#include "target/cpu/artefact_cache.h"

#include "base/json.h"

namespace forge {
namespace {

constexpr std::string_view kDescriptionName = "build.json";

Result<std::vector<std::string>> strings_of(const JsonReader& reader, std::string_view key) {
  FORGE_TRY(const Json* array, reader.array(key));
  const Json::Array* elements = array->as_array();
  FORGE_CHECK(elements != nullptr);
  std::vector<std::string> strings;
  for (const Json& element : *elements) {
    const std::string* text = element.as_string();
    if (text == nullptr) return reader.error(key, "must hold strings");
    strings.push_back(*text);
  }
  return strings;
}

Result<CpuArtefact> read_artefact(Fs& fs, const Path& folder) {
  FORGE_TRY(const std::string text, fs.read(folder / kDescriptionName));
  FORGE_TRY(const Json json, parse_json(text, kDescriptionName));
  const JsonReader reader(json, std::string(kDescriptionName));
  CpuArtefact artefact;
  FORGE_TRY(artefact.source_digest.hex, reader.string("source_digest"));
  FORGE_TRY(artefact.object_digest.hex, reader.string("object_digest"));
  FORGE_TRY(artefact.compiler, reader.string("compiler"));
  FORGE_TRY(artefact.command, strings_of(reader, "command"));
  artefact.shared_object = folder / kObjectName;
  FORGE_TRY(const std::string object, fs.read(artefact.shared_object));
  if (digest_of(object) != artefact.object_digest) {
    return Error{ErrorKind::kCorrupt, "cannot use", artefact.shared_object.string(),
                 "its bytes are not those that were written", ""};
  }
  return artefact;
}

}  // namespace

Result<StagingFolder> StagingFolder::make(Fs& fs, const Path& build) {
  FORGE_TRY(auto making, MakingFolder::open(fs, build.parent_path() / "making", "a compiler"));
  FORGE_TRY(Path path, making.next());
  FORGE_TRY_STATUS(fs.make_directories(build));
  return StagingFolder(fs, std::move(making), std::move(path));
}

Status StagingFolder::keep_as(const Path& target) {
  auto renamed = fs_->rename(path_, target);
  if (renamed) return {};
  if (fs_->exists(target / kDescriptionName)) return {};
  return renamed;
}

Result<std::optional<CpuArtefact>> find_artefact(Fs& fs, const Path& build, const Digest& key) {
  const Path folder = build / key.hex;
  if (!fs.exists(folder)) return std::optional<CpuArtefact>();
  auto artefact = read_artefact(fs, folder);
  if (artefact && artefact->source_digest == key) return std::optional(std::move(*artefact));
  FORGE_TRY_STATUS(fs.remove_all(folder));
  return std::optional<CpuArtefact>();
}

Status describe_artefact(Fs& fs, const Path& folder, CpuArtefact& artefact) {
  artefact.shared_object = folder / kObjectName;
  FORGE_TRY(const std::string object, fs.read(artefact.shared_object));
  artefact.object_digest = digest_of(object);
  Json command = Json::array();
  for (const std::string& word : artefact.command) command.push_back(word);
  Json json = Json::object();
  json.set("source_digest", artefact.source_digest.hex);
  json.set("object_digest", artefact.object_digest.hex);
  json.set("compiler", artefact.compiler);
  json.set("command", std::move(command));
  return fs.write_atomic(folder / kDescriptionName, json.dump_pretty());
}

}  // namespace forge
