// For tests: subcommands on a fake world with one fake run, and what they print.
#pragma once

#include <map>
#include <sstream>

#include "cli/context.h"
#include "fakes/fake_run.h"

namespace forge {

class TestContext {
 public:
  Context context() {
    return {out,
            err,
            terminal,
            Terminal::kPlain,
            [] { return 200; },
            [this] { return rows; },
            world.fs,
            world.processes,
            world.clock,
            world.entropy,
            [](const std::string& name) -> std::optional<std::string> {
              if (name == "XDG_CACHE_HOME") return "/cache";
              return std::nullopt;
            },
            [this] { return looks <= 0; },
            [this](std::chrono::milliseconds) {
              --looks;
              if (between_looks) between_looks();
            },
            [this](const Path& path) -> std::optional<int> {
              const auto found = drivers.find(path.string());
              return found == drivers.end() ? std::nullopt : std::optional(found->second);
            },
            [](const Path&) { return std::uint64_t{1024}; },
            [] { return Error{ErrorKind::kNotFound, "cannot find", "the worker", "a test", ""}; },
            [this] { return world.agent_world(); },
            ".artifacts"};
  }

  // An event that the run's driver appends.
  void append_event() {
    const auto journal = read_journal(world.fs, RunPaths(world.run).journal());
    FORGE_CHECK(journal);
    auto writer = JournalWriter::open(world.fs, RunPaths(world.run).journal(), *journal);
    FORGE_CHECK(writer);
    FORGE_CHECK(writer->append(Prepared{"commit", "source"}, world.clock.utc_now(), 5));
  }

  FakeRun world;
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal = Terminal::kPlain;
  int rows = 24;
  int looks = 1;                        // of a watch, before Ctrl-C
  std::function<void()> between_looks;  // what happens meanwhile
  std::map<std::string, int> drivers;   // lock -> process
};

}  // namespace forge
