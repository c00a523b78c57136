// Instantiates fmt's out-of-line functions once; see ForgeDependencies.cmake.
#include <fmt/format-inl.h>
