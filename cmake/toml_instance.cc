// Instantiates toml++'s out-of-line functions once; see ForgeDependencies.cmake.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
