#include "agent/transcript.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

// A shorter one would be found by chance in ordinary text.
constexpr std::size_t kShortestSecret = 8;
constexpr std::string_view kRemoved = "[removed]";

}  // namespace

Redactor::Redactor(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](const auto& secret) { return secret.size() < kShortestSecret; });
  // One may be part of another.
  std::stable_sort(secrets_.begin(), secrets_.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

std::string Redactor::clean(std::string text) const {
  for (const auto& secret : secrets_) {
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), kRemoved);
    }
  }
  return text;
}

Json Redactor::clean(const Json& json) const {
  if (const auto* text = json.as_string()) return clean(*text);
  if (const auto* array = json.as_array()) {
    Json::Array cleaned;
    for (const Json& element : *array) cleaned.push_back(clean(element));
    return cleaned;
  }
  if (const auto* object = json.as_object()) {
    Json::Object cleaned;
    for (const auto& [key, value] : *object) cleaned.emplace_back(clean(key), clean(value));
    return cleaned;
  }
  return json;
}

bool Redactor::holds_secret(std::string_view text) const {
  return std::any_of(secrets_.begin(), secrets_.end(), [&](const auto& secret) {
    return text.find(secret) != std::string_view::npos;
  });
}

Result<std::unique_ptr<FileTranscript>> FileTranscript::open(Fs& fs, const Path& path, Clock& clock,
                                                             const Redactor& redactor) {
  FORGE_TRY_STATUS(fs.remove_all(path));
  FORGE_TRY(auto file, fs.open_append(path));
  return std::unique_ptr<FileTranscript>(new FileTranscript(std::move(file), clock, redactor));
}

Status FileTranscript::add(std::string_view type, const Json& data) {
  Json entry = Json::object();
  entry.set("n", ++number_);
  entry.set("at", clock_.utc_now());
  entry.set("type", type);
  const Json cleaned = redactor_.clean(data);
  if (const auto* members = cleaned.as_object()) {
    for (const auto& [key, value] : *members) entry.set(key, value);
  }
  return file_->append(entry.dump() + "\n");
}

Result<std::vector<Json>> read_transcript(FileReader& fs, const Path& path) {
  FORGE_TRY(const std::string text, fs.read(path));
  std::vector<Json> entries;
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string place = fmt::format("{}:{}", path.string(), entries.size() + 1);
    FORGE_TRY(Json entry, parse_json(std::string_view(text).substr(begin, end - begin), place));
    const Json* type = entry.find("type");
    if (type == nullptr || type->as_string() == nullptr) {
      return Error{ErrorKind::kCorrupt, "cannot read", place, "'type' is missing", ""};
    }
    entries.push_back(std::move(entry));
    begin = end + 1;
  }
  return entries;
}

}  // namespace forge
