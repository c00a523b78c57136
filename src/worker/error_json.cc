#include "worker/error_json.h"

#include <fmt/format.h>

#include <array>

#include "worker/json_fields.h"

namespace forge {
namespace {

constexpr std::int64_t kVersion = 1;

struct KindName {
  ErrorKind kind;
  std::string_view name;
};
constexpr auto kKinds = std::to_array<KindName>({
    {ErrorKind::kInvalidInput, "invalid_input"},
    {ErrorKind::kNotFound, "not_found"},
    {ErrorKind::kBusy, "busy"},
    {ErrorKind::kInfrastructure, "infrastructure"},
    {ErrorKind::kEnvironment, "environment"},
    {ErrorKind::kCorrupt, "corrupt"},
    {ErrorKind::kInterrupted, "interrupted"},
});

Result<ErrorKind> read_kind(const JsonReader& reader) {
  FORGE_TRY(const std::string name, reader.string("kind"));
  for (const KindName& known : kKinds) {
    if (known.name == name) return known.kind;
  }
  return reader.error("kind", fmt::format("is no kind of error: '{}'", name));
}

Status read_error(const JsonReader& reader, Error& error) {
  FORGE_TRY_STATUS(require_version(reader, kVersion));
  FORGE_TRY_STATUS(reader.only_keys({"version", "kind", "attempt", "object", "cause", "remedy"}));
  FORGE_TRY(error.kind, read_kind(reader));
  FORGE_TRY(error.attempt, reader.string("attempt"));
  FORGE_TRY(error.object, reader.string("object"));
  FORGE_TRY(error.cause, reader.string("cause"));
  FORGE_TRY(error.remedy, reader.string("remedy"));
  return {};
}

}  // namespace

std::string_view error_kind_name(ErrorKind kind) {
  for (const KindName& known : kKinds) {
    if (known.kind == kind) return known.name;
  }
  invariant_failed(__FILE__, __LINE__, "a known kind of error");
}

Json to_json(const Error& error) {
  Json json = Json::object();
  json.set("version", kVersion);
  json.set("kind", error_kind_name(error.kind));
  json.set("attempt", error.attempt);
  json.set("object", error.object);
  json.set("cause", error.cause);
  json.set("remedy", error.remedy);
  return json;
}

Error error_from_json(const Json& json, std::string_view document) {
  Error error;
  const Status status = read_error(JsonReader(json, std::string(document)), error);
  return status ? error : status.error();
}

}  // namespace forge
