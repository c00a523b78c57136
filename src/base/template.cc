#include "base/template.h"

#include <fmt/format.h>

#include <kainjow/mustache.hpp>
#include <vector>

#include "base/text.h"

namespace forge {
namespace {

namespace mustache = kainjow::mustache;

mustache::data to_mustache(const Json& json) {
  if (const auto* object = json.as_object()) {
    mustache::data data{mustache::object{}};
    for (const auto& [key, value] : *object) data.set(key, to_mustache(value));
    return data;
  }
  if (const auto* array = json.as_array()) {
    mustache::data data{mustache::data::type::list};
    for (const Json& element : *array) data << to_mustache(element);
    return data;
  }
  if (json.is_null()) return mustache::data(false);
  if (const bool* value = json.as_bool()) return mustache::data(*value);
  if (const std::string* text = json.as_string()) {
    return text->empty() ? mustache::data(false) : mustache::data(*text);
  }
  return mustache::data(json.dump());
}

struct Tag {
  char kind = 0;  // '#', '^', '/', or 0 for a value
  std::string name;
};

std::vector<Tag> tags_of(std::string_view text) {
  std::vector<Tag> tags;
  for (auto begin = text.find("{{"); begin != std::string_view::npos;
       begin = text.find("{{", begin)) {
    const auto end = text.find("}}", begin);
    if (end == std::string_view::npos) break;
    std::string_view inside = trim(text.substr(begin + 2, end - begin - 2));
    begin = end + 2;
    if (inside.empty() || inside.front() == '!') continue;
    Tag tag;
    if (std::string_view("#^/").find(inside.front()) != std::string_view::npos) {
      tag.kind = inside.front();
      inside.remove_prefix(1);
    } else if (inside.front() == '&') {
      inside.remove_prefix(1);
    }
    tag.name = trim(inside);
    tags.push_back(std::move(tag));
  }
  return tags;
}

// Mustache renders a name that is missing as nothing: looked for before, in the same order as it
// does, in the sections that are rendered.
class Names {
 public:
  Names(std::vector<Tag> tags, const Json& data) : tags_(std::move(tags)), stack_{&data} {}

  // The first name that is not there; empty: none.
  std::string missing() {
    std::size_t at = 0;
    return walk(at);
  }

 private:
  const Json* find(const std::string& name) const {
    if (name == ".") return stack_.back();
    for (auto each = stack_.rbegin(); each != stack_.rend(); ++each) {
      if (const Json* found = (*each)->find(name)) return found;
    }
    return nullptr;
  }

  static bool is_nothing(const Json& json) {
    const auto* text = json.as_string();
    const auto* array = json.as_array();
    const auto* flag = json.as_bool();
    return json.is_null() || (text != nullptr && text->empty()) ||
           (array != nullptr && array->empty()) || (flag != nullptr && !*flag);
  }

  void skip(std::size_t& at) const {
    for (int depth = 1; at < tags_.size() && depth > 0; ++at) {
      if (tags_[at].kind == '/') --depth;
      if (tags_[at].kind == '#' || tags_[at].kind == '^') ++depth;
    }
  }

  std::string section(const Json& value, std::size_t& at) {
    const std::size_t begin = at;
    const auto* array = value.as_array();
    if (array == nullptr) {
      stack_.push_back(&value);
      std::string missing = walk(at);
      stack_.pop_back();
      return missing;
    }
    for (const Json& element : *array) {
      at = begin;
      stack_.push_back(&element);
      std::string missing = walk(at);
      stack_.pop_back();
      if (!missing.empty()) return missing;
    }
    return "";
  }

  // Up to the end of the section that `at` is in, and behind it.
  std::string walk(std::size_t& at) {
    while (at < tags_.size()) {
      const Tag& tag = tags_[at++];
      if (tag.kind == '/') return "";
      const Json* value = find(tag.name);
      if (value == nullptr) return tag.name;
      if (tag.kind == 0) continue;
      if (is_nothing(*value) == (tag.kind == '#')) {
        skip(at);
      } else if (std::string missing = tag.kind == '#' ? section(*value, at) : walk(at);
                 !missing.empty()) {
        return missing;
      }
    }
    return "";
  }

  std::vector<Tag> tags_;
  std::vector<const Json*> stack_;
};

Error broken(std::string_view name, std::string cause) {
  return Error{ErrorKind::kInvalidInput, "cannot fill in", std::string(name), std::move(cause), ""};
}

}  // namespace

Result<std::string> render_template(std::string_view text, const Json& data,
                                    std::string_view name) {
  mustache::mustache parsed{std::string(text)};
  if (!parsed.is_valid()) return broken(name, parsed.error_message());
  if (const std::string missing = Names(tags_of(text), data).missing(); !missing.empty()) {
    return broken(name, fmt::format("nothing is known of '{}'", missing));
  }
  parsed.set_custom_escape([](const std::string& value) { return value; });
  return parsed.render(to_mustache(data));
}

std::string render_own_template(const char* begin, const char* end, const Json& data,
                                std::string_view name) {
  auto text = render_template({begin, static_cast<std::size_t>(end - begin)}, data, name);
  if (!text) invariant_failed(__FILE__, __LINE__, text.error().message());
  return std::move(*text);
}

}  // namespace forge
