// Small text helpers. Does no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string> split_lines(std::string_view text);  // without the line ends
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
bool is_identifier(std::string_view text);  // C identifier, ASCII
// The whole text as a decimal number; never an infinity or NaN.
std::optional<double> parse_number(std::string_view text);

// The known name nearest to `name` by edit distance, if near enough to be a likely typo.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

// The length of the well-formed UTF-8 sequence that `bytes` begins with; 0 if there is none.
std::size_t utf8_sequence_bytes(std::string_view bytes);
bool is_utf8(std::string_view bytes);

// At most `max_bytes`, cut at a UTF-8 boundary, with a note of how many bytes are missing.
std::string clip(std::string_view text, std::size_t max_bytes);

// Replaces invalid UTF-8 and control characters (but tab and newline), so that any program's
// output can go into JSON and onto a terminal.
std::string printable(std::string_view bytes);

std::string format_duration_ns(double ns);   // "412 ns", "52.1 us", "3.42 ms", "1.20 s"
std::string format_elapsed(double seconds);  // "0:42", "3:05", "2:10:00"
std::string format_bytes(double bytes);      // "512 KiB", "16.0 MiB"
std::string format_ratio(double ratio);      // "3.42"

}  // namespace forge
