#include "agent/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/event_stream.h"
#include "base/text.h"
#include "sys/interrupt.h"

namespace forge {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{1000};
constexpr milliseconds kLongestPause{60'000};
// A server that asks for more is better asked again by the next forge run.
constexpr milliseconds kLongestAsked{300'000};
constexpr int kMaxNudges = 3;
constexpr std::size_t kMaxErrorBytes = 64 * 1024;
constexpr std::size_t kMaxRecordedBytes = 64 * 1024;

constexpr const char* kSystem =
    "You are an engineer who writes fast kernels. You work in a folder of files through tools, and "
    "nobody answers questions. Look at what you need, do the work of the task, compile it where "
    "there is a tool for that, and end with the tool 'finish'. Text that calls no tool changes "
    "nothing.";
constexpr const char* kNudge =
    "No tool was called. Go on with a tool, or end the turn with the tool 'finish'.";
constexpr const char* kCut =
    "The answer was cut off at its greatest length. Do less at once: 'replace' instead of 'write', "
    "or a part at a time.";

bool may_pass(int status) {
  return status == 408 || status == 409 || status == 429 || status >= 500;
}

// The server's own words about why it did not answer.
std::string said_in(const std::string& body) {
  const auto json = parse_json(body, "the server's answer");
  const Json* error = json ? json->find("error") : nullptr;
  const Json* message = error == nullptr ? nullptr : error->find("message");
  const std::string* text = message == nullptr ? nullptr : message->as_string();
  return clip(trim(printable(text != nullptr ? *text : body)), 300);
}

// An answer that can't be read, too: the next one may be whole.
Error as_passing(Error error) {
  if (error.kind == ErrorKind::kInvalidInput) error.kind = ErrorKind::kInfrastructure;
  return error;
}

Error refused(const HttpRequest& request, const HttpResponse& answer, const std::string& body,
              const std::string& key_name) {
  Error error{ErrorKind::kEnvironment, "cannot get an answer from", request.url,
              fmt::format("status {}: {}", answer.status, said_in(body)),
              "check model, url and key of agents.toml"};
  if (answer.status == 401 || answer.status == 403) {
    error.remedy = fmt::format("check the key in {}", key_name);
  }
  if (may_pass(answer.status)) {
    error.kind = ErrorKind::kInfrastructure;
    error.remedy = "try again later";
  }
  return error;
}

// `answer`: how the server wants to be asked again, also where there is an error.
Result<Reply> ask_once(const ServerSettings& server, const std::string& key,
                       const Protocol& protocol, HttpClient& http, std::string body_of_request,
                       HttpResponse* answer = nullptr) {
  HttpRequest request;
  request.url = protocol.url(server);
  request.headers = protocol.headers(key);
  request.body = std::move(body_of_request);
  request.stall = std::chrono::seconds(server.stall_seconds);
  EventStream events;
  const auto reader = protocol.reader();
  std::string body;
  const auto take = [&](const HttpResponse& head, std::string_view bytes) -> Status {
    if (head.status == 200) {
      return events.feed(bytes, [&](std::string_view data) { return reader->event(data); });
    }
    if (body.size() < kMaxErrorBytes) body += bytes;
    return {};
  };
  auto response = http.post(request, take);
  if (!response) return as_passing(response.error());
  if (answer != nullptr) *answer = *response;
  if (response->status != 200) return refused(request, *response, body, server.key);
  auto reply = reader->finish();
  if (!reply) return unreadable_answer("it ended too early");
  return std::move(*reply);
}

class Turner {
 public:
  Turner(const AgentSettings& settings, const std::string& key, const Protocol& protocol,
         ServerWorld& world, const Turn& turn)
      : settings_(settings),
        key_(key),
        protocol_(protocol),
        world_(world),
        turn_(turn),
        tools_(place_of(turn), world.fs, world.processes),
        end_ns_(world.clock.monotonic_ns() + settings.minutes * 60 * 1'000'000'000) {
    chat_.model = settings.model;
    chat_.system = kSystem;
    chat_.tools = tools_.definitions();
    chat_.output_tokens = settings.server.output_tokens;
    chat_.messages.emplace_back(UserSaid{turn.prompt});
  }

  Result<TurnOutcome> run() {
    int nudges = 0;
    while (true) {
      if (auto end = limit_reached()) return std::move(*end);
      FORGE_TRY(auto reply, ask());
      if (!reply) return failed("the task alone is longer than the context may be");
      FORGE_TRY_STATUS(take(*reply));
      if (tools_.outcome()) return with_usage(*tools_.outcome());
      if (reply->end == ReplyEnd::kRefused) return failed("the server refused to let it be said");
      nudges = reply->calls.empty() ? nudges + 1 : 0;
      if (nudges > kMaxNudges) {
        return with_usage(TurnDone{
            "it stopped without a word on what it did: " + clip(printable(reply->text), 500), {}});
      }
      if (reply->end == ReplyEnd::kLength) {
        say(kCut);
      } else if (reply->calls.empty()) {
        say(kNudge);
      }
    }
  }

 private:
  static Toolbox::Place place_of(const Turn& turn) {
    const Json* build = turn.brief.find("build");
    return {turn.view, turn.workspace, turn.record / "scratch", turn.role,
            build == nullptr ? Json::object() : *build};
  }

  void say(const char* text) { chat_.messages.emplace_back(UserSaid{text}); }

  TurnOutcome with_usage(TurnOutcome outcome) const {
    std::visit([this](auto& kind) { kind.usage = usage_; }, outcome);
    return outcome;
  }
  TurnOutcome failed(std::string why) const { return with_usage(TurnFailed{std::move(why), {}}); }

  // What lies in the workspace then is judged all the same: it may be good.
  std::optional<TurnOutcome> limit_reached() const {
    std::string what;
    if (calls_ >= settings_.server.calls) what = fmt::format("{} calls of tools", calls_);
    if (world_.clock.monotonic_ns() >= end_ns_) {
      what = fmt::format("{} minutes", settings_.minutes);
    }
    const auto tokens = usage_.input_tokens + usage_.output_tokens;
    if (turn_.limits.tokens > 0 && tokens >= turn_.limits.tokens) {
      what = fmt::format("{} tokens", tokens);
    }
    if (what.empty()) return std::nullopt;
    return with_usage(TurnDone{fmt::format("ended after {}", what), {}});
  }

  // Nothing: the chat can't be made short enough.
  Result<std::optional<Reply>> ask() {
    const auto room = settings_.server.context_tokens - settings_.server.output_tokens;
    const auto allowed = std::max<std::int64_t>(room, settings_.server.context_tokens / 2);
    // Once it is too long, by half, so that the server's cache is not in vain each time.
    if (estimated_tokens(chat_) > allowed && !trim_chat(chat_, allowed / 2) &&
        estimated_tokens(chat_) > allowed) {
      return std::optional<Reply>();
    }
    const std::string body = protocol_.body(chat_, settings_.server);
    for (int tries = 1;; ++tries) {
      HttpResponse answer;
      auto reply = ask_once(settings_.server, key_, protocol_, *world_.http, body, &answer);
      if (reply) {
        account(reply->tokens);
        return std::optional<Reply>(std::move(*reply));
      }
      if (reply.error().kind != ErrorKind::kInfrastructure || tries > settings_.server.retries) {
        return reply.error();
      }
      FORGE_TRY_STATUS(record("retry", reply.error().message()));
      world_.pause(pause_before(tries, answer));
      if (world_.interrupted()) return interrupted_error("the server's answer");
    }
  }

  void account(const TokenCounts& tokens) {
    const ServerSettings& server = settings_.server;
    usage_.input_tokens += tokens.input + tokens.cached;
    usage_.output_tokens += tokens.output;
    usage_.cost += (static_cast<double>(tokens.input) * server.input_price +
                    static_cast<double>(tokens.cached) * server.cached_price +
                    static_cast<double>(tokens.output) * server.output_price) /
                   1e6;
  }

  Status take(Reply& reply) {
    FORGE_TRY_STATUS(record("text", reply.text));
    FORGE_TRY_STATUS(record_usage(reply.tokens));
    // A call that was cut off is not whole.
    if (reply.end == ReplyEnd::kLength) reply.calls.clear();
    make_ids_unique(reply.calls);
    // Servers refuse bytes that are not UTF-8 in what comes back to them.
    chat_.messages.emplace_back(ModelSaid{printable(reply.text), reply.calls});
    for (const ToolCall& call : reply.calls) {
      FORGE_TRY(const ToolAnswer answer, do_call(call));
      chat_.messages.emplace_back(ToolSaid{call.id, answer.text, answer.end});
    }
    return {};
  }

  void make_ids_unique(std::vector<ToolCall>& calls) {
    for (ToolCall& call : calls) {
      call.tool = clip(printable(call.tool), 64);
      if (call.id.empty() || call.id.size() > 200 || !ids_.insert(call.id).second) {
        call.id = fmt::format("call_{}", ids_.size() + 1);
        ids_.insert(call.id);
      }
    }
  }

  Result<ToolAnswer> do_call(const ToolCall& call) {
    ++calls_;
    Json said = Json::object();
    said.set("id", call.id);
    said.set("tool", call.tool);
    said.set("arguments", clip(printable(call.arguments), kMaxRecordedBytes));
    FORGE_TRY_STATUS(turn_.transcript->add("tool_call", said));
    FORGE_TRY(ToolAnswer answer, answer_to(call));
    Json result = Json::object();
    result.set("id", call.id);
    result.set("refused", answer.end == ToolEnd::kRefused);
    result.set("text", clip(printable(answer.text), kMaxRecordedBytes));
    FORGE_TRY_STATUS(turn_.transcript->add("tool_result", result));
    return answer;
  }

  Result<ToolAnswer> answer_to(const ToolCall& call) {
    // The first that ends the turn counts.
    if (tools_.outcome()) return ToolAnswer{"the turn is over", ToolEnd::kRefused};
    const auto arguments =
        parse_json(call.arguments.empty() ? "{}" : call.arguments, "the call's arguments");
    if (!arguments) return ToolAnswer{arguments.error().message(), ToolEnd::kRefused};
    return tools_.call(call.tool, *arguments);
  }

  Status record(std::string_view type, const std::string& text) {
    if (text.empty()) return {};
    Json json = Json::object();
    json.set("text", printable(text));
    return turn_.transcript->add(type, json);
  }

  Status record_usage(const TokenCounts& tokens) {
    Json json = Json::object();
    json.set("input", tokens.input);
    json.set("cached", tokens.cached);
    json.set("output", tokens.output);
    return turn_.transcript->add("usage", json);
  }

  const AgentSettings& settings_;
  const std::string& key_;
  const Protocol& protocol_;
  ServerWorld& world_;
  const Turn& turn_;
  Toolbox tools_;
  Chat chat_;
  TurnUsage usage_;
  std::set<std::string> ids_;
  std::int64_t calls_ = 0;
  std::int64_t end_ns_;
};

class ServerBackend final : public Backend {
 public:
  ServerBackend(AgentSettings settings, std::string key, std::unique_ptr<Protocol> protocol,
                ServerWorld world)
      : settings_(std::move(settings)),
        key_(std::move(key)),
        protocol_(std::move(protocol)),
        world_(std::move(world)) {}

  std::string_view name() const override { return settings_.backend; }
  std::string model() const override { return settings_.model; }
  std::string boundary() const override {
    return "enforced: the model reaches files through our tools only";
  }
  // A few words of an answer.
  Result<std::string> check() override {
    Chat chat;
    chat.model = settings_.model;
    chat.system = "Answer with one word.";
    chat.messages.emplace_back(UserSaid{"Are you there?"});
    chat.output_tokens = 16;
    FORGE_TRY([[maybe_unused]] const Reply reply,
              ask_once(settings_.server, key_, *protocol_, *world_.http,
                       protocol_->body(chat, settings_.server)));
    return fmt::format("{} answers at {}", settings_.model, settings_.server.url);
  }
  Result<TurnOutcome> take_turn(const Turn& turn) override {
    return Turner(settings_, key_, *protocol_, world_, turn).run();
  }

 private:
  AgentSettings settings_;
  std::string key_;
  std::unique_ptr<Protocol> protocol_;
  ServerWorld world_;
};

}  // namespace

milliseconds pause_before(int tries, const HttpResponse& answer) {
  const auto asked = answer.headers.find("retry-after");
  if (asked != answer.headers.end()) {
    if (const auto seconds = parse_number(asked->second); seconds && *seconds >= 0) {
      const auto wanted = milliseconds(static_cast<std::int64_t>(std::min(*seconds, 1e6) * 1000));
      return std::min(std::max(wanted, kFirstPause), kLongestAsked);
    }
  }
  const int doublings = std::min(tries - 1, 10);
  return std::min(kFirstPause * (1 << doublings), kLongestPause);
}

std::unique_ptr<Backend> make_server_backend(const AgentSettings& settings, std::string key,
                                             std::unique_ptr<Protocol> protocol,
                                             ServerWorld world) {
  return std::make_unique<ServerBackend>(settings, std::move(key), std::move(protocol),
                                         std::move(world));
}

}  // namespace forge
