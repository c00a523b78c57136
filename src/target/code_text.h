// C++ source without everything that is not code. Pure. May know: nothing of ours.
#pragma once

#include <string>
#include <string_view>

namespace forge {

// A copy of `source` in which comments, string and character literals and preprocessor lines are
// blanks. Newlines stay, so every byte keeps its offset and its line.
std::string code_only(std::string_view source);

}  // namespace forge
