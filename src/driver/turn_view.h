// What each role may see in a turn, as a folder that is laid out anew for it: copies, so that no
// way leads from it to the run. May know: problem, run, sys. What is kept out and why:
// docs/threat-model.md.
#pragma once

#include <string>
#include <vector>

#include "agent/backend.h"
#include "base/json.h"
#include "problem/problem.h"
#include "run/paths.h"
#include "run/state.h"
#include "sys/fs.h"

namespace forge {

// A file or folder of the run, or a text, under a name in the view.
struct ViewEntry {
  Path from;  // empty: `text`
  std::string text;
  Path to;  // relative to the view
};

struct ViewPlan {
  std::vector<ViewEntry> work;   // where the turn may write; always laid out
  std::vector<ViewEntry> shown;  // only for backends that look
  std::vector<Path> denied;      // nothing of these may be shown, nor anything that holds them
};

// `kernel`: as it stands in the operator tree.
ViewPlan student_view(const Problem& problem, const RunPaths& paths, const State& state,
                      const std::string& kernel);
ViewPlan teacher_view(const Problem& problem, const RunPaths& paths, const State& state,
                      const std::string& kernel);
// How a kernel in the view is compiled: "build" of a student's brief.
Json build_facts(const Problem& problem);
// Whether a teacher may read the reference's source.
bool teacher_sees_reference(const Problem& problem);

// Makes `folder`, whole or not at all. An error if the plan shows something denied.
Status lay_out(Fs& fs, const ViewPlan& plan, Sight sight, Durability durability,
               const Path& folder);

}  // namespace forge
