#include "target/cuda/replay_server.h"

namespace forge {
namespace {

// Descriptors of a request to begin a trial.
enum TrialDescriptor : std::size_t { kSetup = 0, kPlan = 1, kCubin = 2, kTrialDescriptors = 3 };

Json done() { return Json::object().set("ok", true); }

Error malformed(const std::string& cause) {
  return Error{ErrorKind::kCorrupt, "cannot understand", "a request", cause, ""};
}

Result<std::vector<std::size_t>> numbers(const JsonReader& reader, std::string_view key,
                                         const Json& array) {
  if (array.as_array() == nullptr) return reader.error(key, "must be an array");
  std::vector<std::size_t> values;
  for (const Json& each : *array.as_array()) {
    std::uint64_t value = 0;
    if (!each.as_uint(value)) return reader.error(key, "must hold numbers");
    values.push_back(value);
  }
  return values;
}

}  // namespace

Json fault_json(const ReplayFault& fault) {
  Json inner = Json::object();
  inner.set("kind", replay_fault_name(fault.kind));
  inner.set("reason", fault.reason);
  return Json::object().set("fault", std::move(inner));
}

Json ReplayServer::answer(Channel::Message message) {
  const auto parsed = parse_json(message.text, "a request");
  if (!parsed) return fault_json({ReplayFaultKind::kInfrastructure, parsed.error().message()});
  auto answered = handle(JsonReader(*parsed, "a request"), message.descriptors);
  if (answered) return std::move(*answered);
  return fault_json(replayer_.explain(answered.error()));
}

Result<Json> ReplayServer::handle(const JsonReader& request, std::vector<UniqueFd>& descriptors) {
  FORGE_TRY(const std::string what, request.string("do"));
  if (what == "arena") {
    FORGE_TRY_STATUS(take_arena(descriptors));
  } else if (what == "trial") {
    FORGE_TRY_STATUS(begin_trial(descriptors));
  } else if (what == "prepare") {
    FORGE_TRY_STATUS(prepare(request));
  } else if (what == "measure") {
    return measure(request);
  } else if (what == "fetch") {
    FORGE_TRY_STATUS(replayer_.fetch());
  } else {
    return malformed("'" + what + "' is nothing that can be done");
  }
  return done();
}

Status ReplayServer::take_arena(std::vector<UniqueFd>& descriptors) {
  if (descriptors.size() != 1) return malformed("an arena is one descriptor");
  FORGE_TRY(arena_, SharedMemory::adopt("forge-arena", descriptors.front().release()));
  replayer_.pin(arena_.data(), arena_.bytes());
  return {};
}

Status ReplayServer::begin_trial(const std::vector<UniqueFd>& descriptors) {
  if (descriptors.size() != kTrialDescriptors) return malformed("a trial has three descriptors");
  FORGE_TRY(const std::string text, memory_file_content(descriptors[kSetup].get()));
  FORGE_TRY(const std::string plan, memory_file_content(descriptors[kPlan].get()));
  FORGE_TRY(std::string cubin, memory_file_content(descriptors[kCubin].get()));
  FORGE_TRY(ReplaySetup setup, read_replay_setup(text));
  if (setup.bytes > arena_.bytes()) return malformed("the slab is larger than the arena");
  FORGE_TRY(ReplayCode code, read_replay_code(plan, std::move(cubin)));
  return replayer_.begin_trial(std::move(setup), std::move(code), arena_.data());
}

Status ReplayServer::prepare(const JsonReader& request) {
  FORGE_TRY(const Json* array, request.array("entries"));
  FORGE_TRY(std::vector<std::size_t> entries, numbers(request, "entries", *array));
  FORGE_TRY(const std::uint64_t captures, request.unsigned_integer("captures"));
  return replayer_.prepare(std::move(entries), captures);
}

Result<Json> ReplayServer::measure(const JsonReader& request) {
  FORGE_TRY(const Json* array, request.array("order"));
  std::vector<Replay> order;
  for (const Json& each : *array->as_array()) {
    FORGE_TRY(const auto pair, numbers(request, "order", each));
    if (pair.size() != 2) return request.error("order", "must hold pairs");
    order.push_back({pair[0], pair[1]});
  }
  FORGE_TRY(const std::string cache, request.string("cache"));
  FORGE_TRY(const ReplayTimes times,
            replayer_.measure(order, cache == "cold" ? ReplayCache::kCold : ReplayCache::kWarm));
  Json list = Json::array();
  for (const double time_ns : times.times_ns) list.push_back(time_ns);
  Json json = done();
  json.set("times_ns", std::move(list));
  json.set("event_span_ns", times.event_span_ns);
  json.set("host_around_ns", times.host_around_ns);
  json.set("host_within_ns", times.host_within_ns);
  return json;
}

}  // namespace forge
