// What forge's exit status means, the same for every subcommand.
#pragma once

namespace forge {

inline constexpr int kExitOk = 0;     // done; run: goal reached and confirmed; evolve: a gain
inline constexpr int kExitError = 1;  // bad input or a machine that lacks something
inline constexpr int kExitOtherwise =
    2;  // run: stopped otherwise; judge: not passed; evolve: no gain
inline constexpr int kExitInterrupted = 130;

}  // namespace forge
