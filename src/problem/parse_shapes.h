// shapes.json and hidden_shapes.json. Pure. May know: base.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "problem/problem.h"

namespace forge {

// `file` names the document in messages, which give the path of the key in it:
// "cannot read tasks/x/shapes.json: 'shapes[0].groups[1].purpose' is missing".
Result<std::vector<ShapeSpec>> parse_shapes(std::string_view text, const std::string& file,
                                            const Signature& signature);

}  // namespace forge
