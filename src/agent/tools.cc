#include "agent/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "run/paths.h"
#include "target/cpu/compile.h"

namespace forge {
namespace {

constexpr std::size_t kMaxReadBytes = 128 * 1024;
constexpr std::size_t kMaxWriteBytes = 1 << 20;
constexpr std::size_t kMaxListed = 1000;
constexpr std::size_t kMaxFound = 60;
constexpr std::size_t kMaxLineShown = 240;

ToolAnswer refused(std::string text) { return {std::move(text), ToolEnd::kRefused}; }

struct Parameter {
  const char* name;
  const char* type;
  const char* description;
  bool is_required;
};

Json schema_of(std::initializer_list<Parameter> parameters) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Parameter& each : parameters) {
    Json property = Json::object();
    property.set("type", each.type);
    property.set("description", each.description);
    properties.set(each.name, std::move(property));
    if (each.is_required) required.push_back(each.name);
  }
  Json schema = Json::object();
  schema.set("type", "object");
  schema.set("properties", std::move(properties));
  schema.set("required", std::move(required));
  schema.set("additionalProperties", false);
  return schema;
}

constexpr const char* kPath = "relative to the folder that holds the task, e.g. work/kernel.cpp";

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

std::string lowered(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return text;
}

std::vector<std::string> words_of_query(const std::string& query) {
  auto words = split(lowered(query), ' ');
  std::erase(words, "");
  return words;
}

bool holds_all(const std::string& line, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return line.find(word) != std::string::npos; });
}

Result<std::vector<std::string>> strings_at(const JsonReader& reader, std::string_view key) {
  std::vector<std::string> values;
  if (!reader.has(key)) return values;
  FORGE_TRY(const Json* array, reader.array(key));
  for (const Json& element : *array->as_array()) {
    if (element.as_string() == nullptr) return reader.error(key, "must hold strings");
    values.push_back(*element.as_string());
  }
  return values;
}

}  // namespace

std::vector<ToolDefinition> Toolbox::definitions() const {
  std::vector<ToolDefinition> tools = {
      {"list", "Lists all files below a folder of the task, with their sizes.",
       schema_of({{"path", "string", "a folder; the whole task if left out", false}})},
      {"read", "Reads a text file of the task.",
       schema_of({{"path", "string", kPath, true},
                  {"offset", "integer", "where to begin, in bytes", false}})},
      {"search",
       "Finds lines that hold all the given words, in the task and in knowledge/, which says how "
       "the hardware's mechanisms are used, where there is such a folder.",
       schema_of({{"query", "string", "words, in any order, upper or lower case", true}})},
      {"write", "Writes a whole file below work/.",
       schema_of({{"path", "string", kPath, true},
                  {"content", "string", "all that the file is to hold", true}})},
      {"replace", "Replaces a piece of text in a file below work/; it must occur exactly once.",
       schema_of({{"path", "string", kPath, true},
                  {"old", "string", "the text as it stands", true},
                  {"new", "string", "what takes its place", true}})},
      {"finish", "Ends the turn.",
       schema_of({{"outcome", "string",
                   "done: the work lies in work/; pass: nothing is left to try; fail: it can't be "
                   "done",
                   true},
                  {"note", "string", "what was done, or why not, in one line", true}})}};
  if (place_.role == Role::kStudent) {
    tools.insert(tools.end() - 1, {"compile",
                                   "Compiles work/kernel.cpp as the judge will, and says what the "
                                   "compiler has to say.",
                                   schema_of({})});
  }
  return tools;
}

Result<Path> Toolbox::checked(const JsonReader& arguments, Access access) const {
  FORGE_TRY(const std::string text, arguments.string("path"));
  Path path = Path(text).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // work/
  const bool leaves = path.is_absolute() || text.find('\0') != std::string::npos ||
                      (!path.empty() && *path.begin() == "..");
  if (leaves) return arguments.error("path", "must stay in the task's folder");
  Path so_far = place_.view;
  for (const Path& part : path) {
    so_far /= part;
    const FileKind kind = fs_.look_at(so_far).kind;
    if (kind == FileKind::kLink) return arguments.error("path", "leads through a link");
    if (kind == FileKind::kShared || kind == FileKind::kOther) {
      return arguments.error("path", "is no file of the task");
    }
  }
  const Path relative = place_.workspace.lexically_relative(place_.view);
  if (access == Access::kWrite && (path.empty() || *path.begin() != relative)) {
    return arguments.error(
        "path", fmt::format("must be below {}/, the only folder to write in", relative.string()));
  }
  return (place_.view / path).lexically_normal();
}

Result<ToolAnswer> Toolbox::call(std::string_view tool, const Json& arguments) {
  using Method = Result<ToolAnswer> (Toolbox::*)(const JsonReader&);
  struct Entry {
    std::string_view name;
    Method method;
  };
  static constexpr std::array<Entry, 7> kTools = {{{"list", &Toolbox::list},
                                                   {"read", &Toolbox::read},
                                                   {"search", &Toolbox::search},
                                                   {"write", &Toolbox::write},
                                                   {"replace", &Toolbox::replace},
                                                   {"compile", &Toolbox::compile},
                                                   {"finish", &Toolbox::finish}}};
  const auto* found = std::find_if(kTools.begin(), kTools.end(),
                                   [&](const Entry& each) { return each.name == tool; });
  if (found == kTools.end()) {
    return refused(fmt::format("there is no tool '{}'", clip(printable(tool), 100)));
  }
  const JsonReader reader(arguments, fmt::format("the arguments of {}", tool));
  auto answer = (this->*found->method)(reader);
  // What the arguments or the files are to blame for; a full disk is not among it.
  if (!answer && (answer.error().kind == ErrorKind::kInvalidInput ||
                  answer.error().kind == ErrorKind::kNotFound)) {
    return refused(answer.error().message());
  }
  return answer;
}

Result<ToolAnswer> Toolbox::list(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"path"}));
  Json root = Json::object();
  root.set("path", ".");
  const JsonReader whole(root, "the arguments of list");
  FORGE_TRY(const Path folder, checked(arguments.has("path") ? arguments : whole, Access::kRead));
  if (!fs_.is_directory(folder)) return refused("it is no folder");
  FORGE_TRY(const auto files, list_files_recursively(fs_, folder));
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kMaxListed; ++i) {
    const Path file = folder / files[i];
    text += fmt::format("{} ({} bytes)\n", file.lexically_relative(place_.view).generic_string(),
                        fs_.look_at(file).bytes);
  }
  if (files.size() > kMaxListed) text += fmt::format("… and {} more\n", files.size() - kMaxListed);
  return ToolAnswer{text.empty() ? "no files" : text, ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::read(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"path", "offset"}));
  FORGE_TRY(const Path file, checked(arguments, Access::kRead));
  std::uint64_t offset = 0;
  if (arguments.has("offset")) {
    FORGE_TRY(offset, arguments.unsigned_integer("offset"));
  }
  if (fs_.look_at(file).kind != FileKind::kFile) return refused("there is no such file");
  FORGE_TRY(const std::string text, fs_.read(file));
  if (offset > text.size()) return refused(fmt::format("it has {} bytes only", text.size()));
  const std::string_view rest = std::string_view(text).substr(offset);
  if (rest.size() <= kMaxReadBytes) return ToolAnswer{printable(rest), ToolEnd::kDone};
  return ToolAnswer{fmt::format("{}\n[… {} of {} bytes; read on with offset {}]",
                                printable(rest.substr(0, kMaxReadBytes)), kMaxReadBytes,
                                text.size(), offset + kMaxReadBytes),
                    ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::search(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"query"}));
  FORGE_TRY(const std::string query, arguments.string("query"));
  const auto words = words_of_query(query);
  if (words.empty()) return refused("'query' holds no word");
  FORGE_TRY(const auto files, list_files_recursively(fs_, place_.view));
  std::string text;
  std::size_t found = 0;
  for (const Path& file : files) {
    const FileFacts facts = fs_.look_at(place_.view / file);
    if (facts.kind != FileKind::kFile || facts.bytes > kMaxWriteBytes) continue;
    FORGE_TRY(const std::string content, fs_.read(place_.view / file));
    const auto lines = split_lines(content);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!holds_all(lowered(lines[i]), words) || ++found > kMaxFound) continue;
      text += fmt::format("{}:{}: {}\n", file.generic_string(), i + 1,
                          clip(printable(trim(lines[i])), kMaxLineShown));
    }
  }
  if (found > kMaxFound) text += fmt::format("… and {} more lines\n", found - kMaxFound);
  return ToolAnswer{text.empty() ? "no line holds all these words" : text, ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::write(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"path", "content"}));
  FORGE_TRY(const Path file, checked(arguments, Access::kWrite));
  FORGE_TRY(const std::string content, arguments.string("content"));
  if (content.size() > kMaxWriteBytes) return refused("it is larger than 1 MiB");
  if (file == place_.workspace) return refused("name a file below work/");
  FORGE_TRY_STATUS(fs_.make_directories(file.parent_path()));
  FORGE_TRY_STATUS(fs_.write_atomic(file, content, Durability::kScratch));
  return ToolAnswer{fmt::format("wrote {} bytes", content.size()), ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::replace(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"path", "old", "new"}));
  FORGE_TRY(const Path file, checked(arguments, Access::kWrite));
  FORGE_TRY(const std::string old_text, arguments.string("old"));
  FORGE_TRY(const std::string new_text, arguments.string("new"));
  if (fs_.look_at(file).kind != FileKind::kFile) return refused("there is no such file");
  FORGE_TRY(std::string text, fs_.read(file));
  if (old_text.empty()) return refused("'old' is empty");
  const std::size_t count = occurrences(text, old_text);
  if (count != 1) return refused(fmt::format("'old' occurs {} times, not once", count));
  text.replace(text.find(old_text), old_text.size(), new_text);
  if (text.size() > kMaxWriteBytes) return refused("it would be larger than 1 MiB");
  FORGE_TRY_STATUS(fs_.write_atomic(file, text, Durability::kScratch));
  return ToolAnswer{"replaced", ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::compile(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({}));
  if (place_.role != Role::kStudent) return refused("there is no tool 'compile'");
  const JsonReader build(place_.build, "the brief's build");
  CpuCompileRequest request;
  request.source = place_.workspace / kKernelFile;
  request.header_folder = place_.view / "include";
  request.include_folder = place_.view / "include";
  FORGE_TRY(request.standard, build.string("standard"));
  FORGE_TRY(request.flags, strings_at(build, "flags"));
  FORGE_TRY(const auto includes, strings_at(build, "includes"));
  for (const std::string& include : includes) {
    request.problem_includes.push_back(place_.view / include);
  }
  request.cache = place_.scratch;
  if (fs_.look_at(request.source).kind != FileKind::kFile) return refused("there is no kernel");
  FORGE_TRY(const CompileOutcome outcome, compile_for_cpu(request, fs_, processes_));
  if (const auto* diagnostics = std::get_if<CompileDiagnostics>(&outcome)) {
    return refused(diagnostics->log);
  }
  if (const auto* not_allowed = std::get_if<CompileRefused>(&outcome)) {
    return refused(not_allowed->reason);
  }
  return ToolAnswer{"it compiles", ToolEnd::kDone};
}

Result<ToolAnswer> Toolbox::finish(const JsonReader& arguments) {
  FORGE_TRY_STATUS(arguments.only_keys({"outcome", "note"}));
  FORGE_TRY(const std::string name, arguments.string("outcome"));
  FORGE_TRY(const std::string note, arguments.string("note"));
  const std::string full = name == "pass" ? "passed" : name == "fail" ? "failed" : name;
  auto outcome = make_outcome(full, clip(printable(note), 2000), {});
  if (!outcome) return refused("'outcome' must be done, pass or fail");
  outcome_ = std::move(*outcome);
  return ToolAnswer{"the turn is over", ToolEnd::kDone};
}

}  // namespace forge
