#include "evolve/chain_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace forge {
namespace {

// Its overloads return what contradicts the state, or an empty string.
class Folder {
 public:
  explicit Folder(ChainState& state) : state_(state) {}

  std::string operator()(const ChainCreated& event) {
    if (state_.created) return "it is created twice";
    state_.created = event;
    return {};
  }
  std::string operator()(const GenerationOpened& event) {
    const int expected = static_cast<int>(state_.generations.size());
    if (event.generation != expected) {
      return fmt::format("generation {} is opened where {} should be", event.generation, expected);
    }
    state_.generations.push_back({event, std::nullopt});
    return {};
  }
  std::string operator()(const GenerationEnded& event) {
    if (state_.generations.empty() || state_.generations.back().ended ||
        state_.generations.back().opened.generation != event.generation) {
      return fmt::format("generation {} ends, but it is not open", event.generation);
    }
    state_.generations.back().ended = event;
    return {};
  }
  std::string operator()(const ProblemWritten& event) {
    if (event.generation != static_cast<int>(state_.written.size()) + 1) {
      return fmt::format("the problem for generation {} is written out of turn", event.generation);
    }
    state_.written.push_back(event);
    return {};
  }
  std::string operator()(const CumulativeMeasured& event) {
    if (state_.cumulative) return "the cumulative ratios are measured twice";
    state_.cumulative = event;
    return {};
  }
  std::string operator()(const ChainFinished& event) {
    if (state_.finished) return "it finishes twice";
    state_.finished = event;
    return {};
  }

 private:
  ChainState& state_;
};

double gain_of(const MeasuredRatio& measured) { return measured.ratio.point - 1; }

ChainFinished why_it_ends(const ChainState& state) {
  const GenerationEnded& last = *state.generations.back().ended;
  if (is_gain(last)) {
    return {ChainEnd::kCapReached,
            fmt::format("generation {} is the last that was asked for", last.generation)};
  }
  if (!last.confirmed) {
    return {ChainEnd::kNoConfirmedBest,
            fmt::format("generation {} has no confirmed best: {}", last.generation, last.why)};
  }
  const Interval& ratio = last.confirmed->ratio;
  return {ChainEnd::kInsideNoiseFloor,
          fmt::format("generation {} gained {:.1f} % [{:.1f} %, {:.1f} %], the noise floor is "
                      "{:.1f} %",
                      last.generation, 100 * gain_of(*last.confirmed), 100 * (ratio.low - 1),
                      100 * (ratio.high - 1), 100 * last.noise_floor)};
}

}  // namespace

Result<ChainState> apply(ChainState state, const ChainEntry& entry) {
  const bool is_first = std::holds_alternative<ChainCreated>(entry.event);
  std::string contradiction;
  if (!state.created && !is_first) contradiction = "it comes before the chain is created";
  if (state.finished) contradiction = "it comes after the chain has finished";
  if (contradiction.empty()) contradiction = std::visit(Folder(state), entry.event);
  if (!contradiction.empty()) {
    return Error{ErrorKind::kCorrupt, "cannot fold event", std::to_string(entry.number),
                 fmt::format("{}: {}", chain_event_type(entry.event), contradiction),
                 "restore chain.jsonl from a copy, or start a new chain"};
  }
  state.elapsed_s = std::max(state.elapsed_s, entry.elapsed_s);
  return state;
}

bool is_gain(const GenerationEnded& ended) {
  return ended.confirmed && gain_of(*ended.confirmed) > ended.noise_floor &&
         ended.confirmed->ratio.low > 1;
}

std::vector<int> gains(const ChainState& state) {
  std::vector<int> out;
  for (const Generation& each : state.generations) {
    if (each.ended && is_gain(*each.ended)) out.push_back(each.opened.generation);
  }
  return out;
}

ChainAction next(const ChainState& state) {
  if (state.finished) return ChainIsDone{};
  if (state.generations.empty()) return OpenGeneration{0};
  const Generation& last = state.generations.back();
  const int number = last.opened.generation;
  if (!last.ended) return DriveGeneration{number};
  const bool gained = is_gain(*last.ended);
  const int written = static_cast<int>(state.written.size());
  if (gained && written == number) return WriteProblem{number + 1};
  const int cap = state.created->max_generations;
  const bool is_capped = cap > 0 && static_cast<int>(state.generations.size()) >= cap;
  if (gained && !is_capped) return OpenGeneration{number + 1};
  if (written > 0 && !state.cumulative) return MeasureCumulative{};
  return FinishChain{why_it_ends(state)};
}

}  // namespace forge
