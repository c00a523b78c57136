#include "agent/builtin.h"

#include <fmt/format.h>

#include "agent/builtin_milestones.h"
#include "agent/search.h"

namespace forge {
namespace {

class BuiltinBackend final : public Backend {
 public:
  explicit BuiltinBackend(Fs& fs) : fs_(fs) {}

  std::string_view name() const override { return "builtin"; }
  std::string model() const override { return "builtin"; }
  Sight sight() const override { return Sight::kWorkspace; }
  std::string boundary() const override {
    return "none needed: the builtin agent reads its brief only";
  }

  Result<TurnOutcome> take_turn(const Turn& turn) override {
    if (turn.role == Role::kTeacher) return teach(turn);
    if (turn.role == Role::kStudent) return study(turn);
    return TurnOutcome(
        TurnFailed{fmt::format("the builtin agent can't be {}", role_name(turn.role)), {}});
  }

 private:
  Result<TurnOutcome> teach(const Turn& turn) {
    FORGE_TRY(const auto files, builtin_milestones(turn.brief));
    if (!files) {
      return TurnOutcome(TurnPassed{"sweeps advise nothing that was not tried", {}});
    }
    for (const auto& [name, text] : *files) {
      FORGE_TRY_STATUS(fs_.write_atomic(turn.workspace / name, text, Durability::kScratch));
    }
    return TurnOutcome(TurnDone{"structure before tuning, one row a value, the dearest first", {}});
  }

  Result<TurnOutcome> study(const Turn& turn) {
    const JsonReader reader(turn.brief, "the turn's brief");
    FORGE_TRY(const auto file, reader.string("file"));
    FORGE_TRY(const JsonReader row, reader.object("row"));
    FORGE_TRY(const auto name, row.string("tunable"));
    FORGE_TRY(const auto group, row.string("group"));
    FORGE_TRY(const SearchSpace space, read_search_space(turn.brief));
    const auto* tunable = space.find(name);
    if (tunable == nullptr) {
      return TurnOutcome(TurnPassed{fmt::format("the kernel declares no '{}'", name), {}});
    }
    // Rows of a group make sense together only: the first one's turn takes them all.
    const auto changes = group.empty() ? advised_change(space, *tunable) : advised_changes(space);
    if (changes.empty()) {
      return TurnOutcome(TurnPassed{fmt::format("{} = {} stays", name, tunable->current), {}});
    }
    FORGE_TRY(auto source, fs_.read(turn.workspace / file));
    FORGE_TRY(const auto edited, edited_kernel(std::move(source), space, changes));
    FORGE_TRY_STATUS(fs_.write_atomic(turn.workspace / file, edited, Durability::kScratch));
    return TurnOutcome(TurnDone{changes_text(space, changes), {}});
  }

  Fs& fs_;
};

}  // namespace

std::unique_ptr<Backend> make_builtin_backend(Fs& fs) {
  return std::make_unique<BuiltinBackend>(fs);
}

}  // namespace forge
