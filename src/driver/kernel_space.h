// The space that a kernel's own declarations span, on the shapes of a problem. Pure. May know:
// problem, search, target/tunables.h.
#pragma once

#include <string>
#include <string_view>

#include "problem/problem.h"
#include "search/space.h"
#include "target/tunables.h"

namespace forge {

// Requirements that can't be evaluated are left out: the compiler knows them. Tunables of a class
// that none of the problem's shapes belongs to keep their default as their only value. An error if
// the class of a shape can't be told.
Result<Space> kernel_space(const KernelChoices& choices, const Problem& problem);

// Equal for kernels that differ in nothing but the defaults of their tunables.
std::string space_digest(std::string_view kernel, const KernelChoices& choices);

}  // namespace forge
