// Launch plans as bytes. Pure. May know: base. Format: docs/formats/plan.md.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "target/cuda/plan.h"

namespace forge {

// Sorts kernels and symbols, drops kernels that nothing launches, empties the holes of blobs and
// clears `programmatic` where no launch precedes. Requires indices within their tables.
void make_canonical(Plan& plan);

// Requires a canonical plan within the limits of plan.h.
std::string encode_plan(const Plan& plan);

// Refuses whatever encode_plan would not have written. `object` names the bytes in messages.
Result<Plan> decode_plan(std::string_view bytes, std::string_view object);

// Why a plan has another canonical form; empty if it has none.
std::string why_not_canonical(const Plan& plan);

}  // namespace forge
