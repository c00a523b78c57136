#include "evolve/chain_event.h"

#include <array>
#include <utility>

#include "run/shared_fields.h"

namespace forge {

namespace {

constexpr std::array<std::pair<ChainEnd, std::string_view>, 3> kEnds = {{
    {ChainEnd::kInsideNoiseFloor, "inside_noise_floor"},
    {ChainEnd::kNoConfirmedBest, "no_confirmed_best"},
    {ChainEnd::kCapReached, "cap_reached"},
}};

}  // namespace

std::string_view chain_end_text(ChainEnd end) {
  for (const auto& [value, text] : kEnds) {
    if (value == end) return text;
  }
  FORGE_CHECK(false);
  return {};
}

std::optional<ChainEnd> parse_chain_end(std::string_view text) {
  for (const auto& [value, name] : kEnds) {
    if (name == text) return value;
  }
  return std::nullopt;
}

static std::string_view text_of_enum(ChainEnd value) { return chain_end_text(value); }
static std::optional<ChainEnd> enum_of_text(ChainEnd, std::string_view text) {
  return parse_chain_end(text);
}

template <typename A>
void fields(A& a, ChainCreated& v) {
  a("problem", v.problem);
  a("task", v.task);
  a("problem_digest", v.problem_digest);
  a("step", v.step);
  a("max_generations", v.max_generations);
  a("tool", v.tool);
}

template <typename A>
void fields(A& a, GenerationOpened& v) {
  a("generation", v.generation);
  a("problem", v.problem);
  a("task", v.task);
  a("run", v.run);
}

template <typename A>
void fields(A& a, GenerationEnded& v) {
  a("generation", v.generation);
  a("ending", v.ending);
  a("why", v.why);
  a("opponent", v.opponent);
  a("noise_floor", v.noise_floor);
  a("confirmed", v.confirmed);
  a("candidates", v.candidates);
}

template <typename A>
void fields(A& a, ProblemWritten& v) {
  a("generation", v.generation);
  a("problem", v.problem);
  a("task", v.task);
  a("digest", v.digest);
}

template <typename A>
void fields(A& a, CumulativeRatio& v) {
  a("generation", v.generation);
  a("measured", v.measured);
}

template <typename A>
void fields(A& a, CumulativeMeasured& v) {
  a("opponent", v.opponent);
  a("ratios", v.ratios);
  a("failure", v.failure);
}

template <typename A>
void fields(A& a, ChainFinished& v) {
  a("why", v.why);
  a("detail", v.detail);
}

namespace {

struct TypeName {
  constexpr std::string_view operator()(const ChainCreated&) const { return "chain_created"; }
  constexpr std::string_view operator()(const GenerationOpened&) const {
    return "generation_opened";
  }
  constexpr std::string_view operator()(const GenerationEnded&) const { return "generation_ended"; }
  constexpr std::string_view operator()(const ProblemWritten&) const { return "problem_written"; }
  constexpr std::string_view operator()(const CumulativeMeasured&) const {
    return "cumulative_measured";
  }
  constexpr std::string_view operator()(const ChainFinished&) const { return "chain_finished"; }
};

}  // namespace

std::string_view chain_event_type(const ChainEvent& event) { return std::visit(TypeName{}, event); }

Json chain_event_data(const ChainEvent& event) { return fields_of(event); }

Result<ChainEvent> chain_event_from_json(std::string_view type, const Json& data,
                                         const std::string& place) {
  return read_event<ChainEvent>(TypeName{}, type, data, place);
}

}  // namespace forge
