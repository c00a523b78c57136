#include "cli/find_run.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "run/paths.h"

namespace forge {
namespace {

Error ambiguous(const std::string& text, const std::vector<std::string>& matches) {
  return {ErrorKind::kInvalidInput, "cannot find run", text,
          fmt::format("{} names begin so: {}", matches.size(), clip(join(matches, ", "), 200)),
          "give more of the name"};
}

Error unknown(const std::string& text, const Path& artifacts,
              const std::vector<std::string>& names) {
  Error error{ErrorKind::kNotFound, "cannot find run", text,
              fmt::format("no run in {} has a name that begins so", artifacts.string()), ""};
  if (names.empty()) {
    error.cause = fmt::format("there are no runs in {}", artifacts.string());
    error.remedy = "make one with forge new TASK";
  } else if (const auto nearest = nearest_name(text, names)) {
    error.remedy = fmt::format("did you mean '{}'?", *nearest);
  } else {
    error.remedy = "run forge status for the list";
  }
  return error;
}

}  // namespace

Result<Path> find_run(FileReader& fs, const Path& artifacts, const std::string& text) {
  if (fs.is_directory(text)) {
    if (fs.exists(RunPaths(text).journal())) return Path(text).lexically_normal();
    return Error{ErrorKind::kInvalidInput, "cannot read run", text, "it has no journal.jsonl",
                 "name a run's own directory; run forge status for the list"};
  }
  std::vector<Path> runs;
  if (fs.is_directory(artifacts)) {
    FORGE_TRY(runs, find_runs(fs, artifacts));
  }
  std::vector<std::string> names;
  std::vector<std::string> matches;
  for (const Path& run : runs) {
    names.push_back(run.filename().string());
    if (names.back() == text) return run;
    if (names.back().starts_with(text)) matches.push_back(names.back());
  }
  if (matches.size() == 1) return artifacts / matches.front();
  return matches.empty() ? unknown(text, artifacts, names) : ambiguous(text, matches);
}

}  // namespace forge
