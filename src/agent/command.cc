#include "agent/command.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/reply_parts.h"
#include "base/text.h"
#include "run/deny_list.h"
#include "run/paths.h"
#include "sys/confined.h"
#include "sys/making_folder.h"

namespace forge {
namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr std::size_t kMaxLineBytes = 64 * 1024;
constexpr std::size_t kMaxNoteBytes = 2000;
constexpr std::uint64_t kMaxFileBytes = 256ull << 20;
constexpr std::string_view kHowToEnd = R"(
## How to end

Write your one line into `work/note.txt`, then stop. Begin it with `pass: ` if there is nothing left to
try, or with `fail: ` if it can't be done. Nobody answers questions.
)";

std::string replaced(std::string text, std::string_view hole, std::string_view value) {
  for (auto at = text.find(hole); at != std::string::npos;
       at = text.find(hole, at + value.size())) {
    text.replace(at, hole.size(), value);
  }
  return text;
}

// Whole lines of what a program prints, as it prints them.
class Lines {
 public:
  // `all`: what was printed so far; calls `take` for each line that is new.
  template <typename Take>
  Status feed(std::string_view all, Take take) {
    while (true) {
      const auto end = all.find('\n', done_);
      const bool is_long = end == std::string_view::npos && all.size() - done_ >= kMaxLineBytes;
      if (end == std::string_view::npos && !is_long) return {};
      const auto length = is_long ? kMaxLineBytes : end - done_;
      FORGE_TRY_STATUS(take(all.substr(done_, length)));
      done_ += length + (is_long ? 0 : 1);
    }
  }
  template <typename Take>
  Status finish(std::string_view all, Take take) {
    FORGE_TRY_STATUS(feed(all, take));
    return done_ < all.size() ? take(all.substr(done_)) : Status();
  }

 private:
  std::size_t done_ = 0;
};

// A program that knows no --version has started all the same; what did not start says so in the
// sandbox's words, or as the dynamic linker does.
bool has_started(const ProcessResult& result) {
  const auto* exited = std::get_if<Exited>(&result.end);
  const std::string_view errors = result.standard_error;
  return exited != nullptr && exited->code != 127 && !errors.starts_with("bwrap: ") &&
         !errors.starts_with(kLauncherName);
}

class CommandBackend final : public Backend {
 public:
  CommandBackend(AgentSettings settings, CommandWorld world, std::string program, Sandbox sandbox)
      : settings_(std::move(settings)),
        world_(std::move(world)),
        program_(std::move(program)),
        sandbox_(sandbox) {}

  std::string_view name() const override { return "command"; }
  std::string model() const override {
    const std::string tool = Path(program_).filename().string();
    return settings_.model.empty() ? tool : fmt::format("{} with {}", tool, settings_.model);
  }
  std::string boundary() const override { return boundary_of(sandbox_); }

  // That it starts inside its sandbox; agents answer this without asking their server.
  Result<std::string> check() override {
    FORGE_TRY(const auto folder, MakingFolder::open(world_.fs, scratch_folder(), "forge doctor"));
    SandboxRequest request = own_request();
    request.argv = {program_, "--version"};
    FORGE_TRY(request.view, world_.fs.resolve(folder.path()));
    request.workspace = request.view / kWorkFolder;
    request.home = request.view / "home";
    FORGE_TRY_STATUS(world_.fs.make_directories(request.workspace));
    FORGE_TRY_STATUS(world_.fs.make_directories(request.home));
    FORGE_TRY(ProcessSpec spec, sandboxed(sandbox_, request, world_.fs));
    spec.limits.wall = std::chrono::seconds(60);
    FORGE_TRY(const ProcessResult result, world_.processes.run(spec));
    if (has_started(result)) {
      const auto words = result.succeeded() ? result.standard_output : "it starts";
      return fmt::format("{}: {}", clip(trim(printable(words)), 80), boundary());
    }
    return Error{ErrorKind::kEnvironment, "cannot start", program_,
                 fmt::format("{} --version {}: {}", program_, result.describe_end(),
                             clip(trim(printable(result.standard_error)), 300)),
                 "name what it needs besides the system's folders with readable = [\"…\"]"};
  }

  Result<TurnOutcome> take_turn(const Turn& turn) override {
    const Path home = turn.record / "home";
    FORGE_TRY_STATUS(world_.fs.remove_all(home));
    FORGE_TRY_STATUS(world_.fs.make_directories(home));
    auto outcome = work(turn, home);
    FORGE_TRY_STATUS(world_.fs.remove_all(home));
    return outcome;
  }

 private:
  Result<TurnOutcome> work(const Turn& turn, const Path& home) {
    FORGE_TRY(const ProcessSpec spec, process_of(turn, home));
    FORGE_TRY(const auto child, world_.processes.start(spec));
    Watched watched;
    FORGE_TRY(const auto end, watch(*child, turn, watched));
    if (!end) {
      return TurnOutcome(TurnFailed{
          fmt::format("the agent printed more than {} MiB", settings_.command.output_mib),
          watched.usage});
    }
    FORGE_TRY_STATUS(record(turn, "errors", clip(printable(end->standard_error), kMaxLineBytes)));
    return outcome_of(*end, turn, watched);
  }

  struct Watched {
    TurnUsage usage;
    std::string last_line;
  };

  // Nothing: it printed too much and was ended.
  Result<std::optional<ProcessResult>> watch(Child& child, const Turn& turn, Watched& watched) {
    Lines lines;
    const auto take = [&](std::string_view line) -> Status {
      const TurnUsage usage = usage_in_line(line);
      watched.usage.input_tokens += usage.input_tokens;
      watched.usage.output_tokens += usage.output_tokens;
      watched.usage.cost += usage.cost;
      if (!trim(line).empty()) watched.last_line = line;
      return record(turn, "output", printable(line));
    };
    while (true) {
      FORGE_TRY(auto end, child.wait(kTick));
      if (end) {
        FORGE_TRY_STATUS(lines.finish(end->standard_output, take));
        if (end->output_was_cut) return std::optional<ProcessResult>();
        return end;
      }
      FORGE_TRY_STATUS(lines.feed(child.output_so_far(), take));
      if (child.output_so_far().size() >= output_bytes()) {
        child.kill_group();
        return std::optional<ProcessResult>();
      }
    }
  }

  TurnOutcome outcome_of(const ProcessResult& end, const Turn& turn, const Watched& watched) {
    if (!end.succeeded()) {
      const auto why = trim(end.standard_error).empty() ? watched.last_line : end.standard_error;
      return TurnFailed{fmt::format("the agent's program {}: {}", end.describe_end(),
                                    clip(trim(printable(why)), kMaxNoteBytes)),
                        watched.usage};
    }
    std::string note = note_of(turn);
    if (note.starts_with("pass:")) {
      return TurnPassed{std::string(trim(note.substr(5))), watched.usage};
    }
    if (note.starts_with("fail:")) {
      return TurnFailed{std::string(trim(note.substr(5))), watched.usage};
    }
    if (note.empty()) note = clip(trim(printable(watched.last_line)), kMaxNoteBytes);
    if (note.empty()) note = "the agent said nothing";
    return TurnDone{std::move(note), watched.usage};
  }

  std::string note_of(const Turn& turn) {
    const Path file = turn.workspace / kNoteFile;
    const FileFacts facts = world_.fs.look_at(file);
    if (facts.kind != FileKind::kFile || facts.bytes > kMaxLineBytes) return "";
    const auto text = world_.fs.read(file);
    return text ? clip(trim(printable(*text)), kMaxNoteBytes) : "";
  }

  static Status record(const Turn& turn, std::string_view type, std::string text) {
    if (text.empty()) return {};
    Json json = Json::object();
    json.set("text", std::move(text));
    return turn.transcript->add(type, json);
  }

  std::uint64_t output_bytes() const {
    return static_cast<std::uint64_t>(settings_.command.output_mib) << 20;
  }

  Result<ProcessSpec> process_of(const Turn& turn, const Path& home) {
    SandboxRequest request = own_request();
    FORGE_TRY(request.view, world_.fs.resolve(turn.view));
    FORGE_TRY(request.workspace, world_.fs.resolve(turn.workspace));
    FORGE_TRY(request.home, world_.fs.resolve(home));
    request.network = settings_.command.network ? AgentNetwork::kAllowed : AgentNetwork::kNone;
    for (const std::string& name : settings_.command.pass) {
      if (auto value = world_.environment(name)) request.environment.emplace_back(name, *value);
    }
    FORGE_TRY_STATUS(refuse_denied(turn, request));
    const std::string prompt = turn.prompt + std::string(kHowToEnd);
    FORGE_TRY_STATUS(world_.fs.write_atomic(turn.view / kPromptFile, prompt, Durability::kScratch));
    request.argv = arguments(prompt, view_inside(sandbox_, request.view) / kPromptFile);
    FORGE_TRY(ProcessSpec spec, sandboxed(sandbox_, request, world_.fs));
    if (settings_.command.prompt == PromptBy::kStandardInput) spec.standard_input = prompt;
    spec.limits.wall = std::chrono::minutes(settings_.minutes);
    spec.limits.captured_output_bytes = output_bytes();
    spec.limits.file_size_bytes = kMaxFileBytes;
    return spec;
  }

  std::vector<std::string> arguments(const std::string& prompt, const Path& prompt_file) const {
    const bool by_file = settings_.command.prompt == PromptBy::kFile;
    std::vector<std::string> argv;
    for (const std::string& word : settings_.command.command) {
      const std::string with_model = replaced(word, "{model}", settings_.model);
      argv.push_back(replaced(with_model, "{prompt}", by_file ? prompt_file.string() : prompt));
    }
    return argv;
  }

  // Whatever the settings name, links followed: it must not open a way to what is denied.
  Status refuse_denied(const Turn& turn, const SandboxRequest& request) {
    if (sandbox_ == Sandbox::kNone) return {};
    std::vector<Path> shown = system_folders();
    shown.insert(shown.end(), request.readable.begin(), request.readable.end());
    for (const std::string& path : request.config) shown.push_back(request.own_home / path);
    shown.emplace_back(request.program);
    std::vector<Path> denied;
    for (const Path& path : turn.denied) {
      FORGE_TRY(denied.emplace_back(), world_.fs.resolve(path));
    }
    for (Path& path : shown) {
      FORGE_TRY(path, world_.fs.resolve(path));
    }
    const Path* refused = first_denied(shown, denied);
    if (refused == nullptr) return {};
    return Error{ErrorKind::kInvalidInput, "cannot start", program_,
                 fmt::format("it would be shown {}, which holds, or is part of, what it must not "
                             "see",
                             refused->string()),
                 "keep agents, their settings and the project in different folders"};
  }

  // What does not depend on the turn.
  SandboxRequest own_request() const {
    SandboxRequest request;
    request.program = program_;
    request.own_home = world_.environment("HOME").value_or("/nonexistent");
    request.config = settings_.command.config;
    request.readable.assign(settings_.command.readable.begin(), settings_.command.readable.end());
    return request;
  }
  Path scratch_folder() const { return Path(world_.environment("TMPDIR").value_or("/tmp")); }

  AgentSettings settings_;
  CommandWorld world_;
  std::string program_;
  Sandbox sandbox_;
};

}  // namespace

TurnUsage usage_in_line(std::string_view line) {
  TurnUsage usage;
  if (!line.starts_with('{') || line.find("\"usage\"") == std::string_view::npos) return usage;
  const auto json = parse_json(line, "an agent's output");
  const std::string* name = json ? string_at(*json, "type") : nullptr;
  // Others repeat a part of what these sum up.
  if (name == nullptr || (*name != "result" && *name != "turn.completed")) return usage;
  const Json* said = json->find("usage");
  if (said == nullptr) return usage;
  usage.input_tokens = count_at(*said, "input_tokens") +
                       count_at(*said, "cache_read_input_tokens") +
                       count_at(*said, "cache_creation_input_tokens");
  usage.output_tokens = count_at(*said, "output_tokens");
  if (const Json* cost = json->find("total_cost_usd")) cost->as_number(usage.cost);
  if (!(usage.cost >= 0 && usage.cost < 1e9)) usage.cost = 0;
  return usage;
}

Result<std::unique_ptr<Backend>> make_command_backend(const AgentSettings& settings,
                                                      CommandWorld world) {
  FORGE_TRY(std::string program, find_program(settings.command.command.front()));
  FORGE_TRY(const Path absolute, world.fs.resolve(program));
  // By its own name where that is absolute: what is found by a link may look at its name.
  if (!Path(program).is_absolute()) program = absolute.string();
  FORGE_TRY(const Sandbox sandbox, find_sandbox(settings.command.sandbox, world.processes));
  return std::unique_ptr<Backend>(
      std::make_unique<CommandBackend>(settings, std::move(world), std::move(program), sandbox));
}

}  // namespace forge
