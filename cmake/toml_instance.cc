// Instantiates toml++'s out-of-line functions once; see ForgeDependencies.cmake.
//
// toml++ 3.3 asserts what a malformed document can break ("[,a]"), which would abort; with NDEBUG it
// even lets the compiler assume it. Without the assertion its own checks report a syntax error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
