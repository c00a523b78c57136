// Brings memory out of the processor's caches. May know: nothing.
#pragma once

#include <cstddef>

namespace forge {

// Writes back and drops every line of the range from all caches of all cores.
void flush_cache_lines(const std::byte* begin, std::size_t bytes);

}  // namespace forge
