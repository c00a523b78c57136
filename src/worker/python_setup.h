// What every Python process of a reference is given. May know: base, problem.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "problem/problem.h"

namespace forge {

// {"inputs": […], "outputs": […]}, in-outs among the latter.
std::string tensor_names(const Signature& signature);

// What an interpreter needs to find its libraries, and nothing that carries keys.
std::vector<std::pair<std::string, std::string>> python_environment();

}  // namespace forge
