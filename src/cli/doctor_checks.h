// What forge needs of a machine, judged from facts gathered elsewhere. Pure. May know: base.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace forge {

// A role of agents.toml, and what became of the cheapest call.
struct AgentFacts {
  std::string role;
  Result<std::string> check = Error{};
};

struct HostFacts {
  Result<std::string> compiler = Error{};  // how it is called
  Result<std::string> python = Error{};    // one that has torch
  Result<std::string> git = Error{};       // "git version 2.39.5"
  // What a confined program was found to be kept from, see confinement_layers().
  Result<std::vector<std::string>> layers = Error{};
  int landlock_abi = 0;           // 0: none
  int cpus = 0;                   // that this process may use
  Status lease_folder = Error{};  // whether a lease can be taken
  std::string lease_path;
  std::uint64_t memory_bytes = 0;      // available
  bool onednn = false;                 // its headers
  bool openblas = false;               // likewise
  Result<std::string> nvcc = Error{};  // "nvcc 13.0.88"
  bool bubblewrap = false;             // it starts programs here
  std::vector<AgentFacts> agents;
};

enum class Need { kRequired, kOptional };
enum class Finding { kFine, kMissing };

struct Check {
  std::string name;
  Need need = Need::kRequired;
  Finding finding = Finding::kFine;
  std::string detail;  // what was found, or what is missing and why it matters
  std::string remedy;  // of something missing: the command that fixes it
};

std::vector<Check> examine_host(const HostFacts& facts);
std::string render_checks(const std::vector<Check>& checks);
bool something_needed_is_missing(const std::vector<Check>& checks);

}  // namespace forge
