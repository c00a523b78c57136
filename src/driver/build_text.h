// build.txt: how the best was built, and how to build it again from best/ alone. Pure. May know:
// base.
#pragma once

#include <string>
#include <vector>

namespace forge {

// The same compiler and flags, but with paths below one folder that holds kernel.cpp, forge_args.h,
// include/ and the problem's own include folders; without what only makes builds comparable byte by
// byte and what hides a kernel's other symbols.
std::vector<std::string> portable_command(const std::vector<std::string>& command,
                                          const std::vector<std::string>& problem_includes);

// A shell script: the portable command, below it the exact one as a comment.
std::string build_text(const std::vector<std::string>& command,
                       const std::vector<std::string>& problem_includes);

// Words that a POSIX shell reads as they are.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace forge
