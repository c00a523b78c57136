// Gives up everything that a kernel does not need. May know: Linux. Layers: no new privileges,
// Landlock with no file at all, a system-call allow-list, resource limits. docs/threat-model.md.
#pragma once

#include <cstdint>

namespace forge::runner {

struct ConfineResult {
  std::uint32_t layers = 0;  // kLayer… bits that are on
  int error = 0;             // errno of a layer that exists here but failed
};

// Before the candidate is mapped: limits, no new privileges, Landlock, and a first filter that
// still lets the loader open the image (Landlock leaves it nothing else to open).
ConfineResult confine_for_loading(std::uint64_t address_space_bytes);

// Before the candidate's first instruction: no opening, no executable mappings.
ConfineResult confine_for_running();

}  // namespace forge::runner
