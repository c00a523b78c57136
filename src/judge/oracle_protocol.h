// What is said between ForgeKernel and an oracle's process, as text. Pure. May know: base, problem.
// Format: docs/formats/oracle.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "problem/instance.h"
#include "sys/fs.h"

namespace forge {

// What an oracle says of itself before the first request.
struct OracleGreeting {
  std::string description;              // "PyTorch 1.13.0, python 3.11.2"
  std::vector<std::string> custom;      // outputs that it compares itself
  std::vector<std::string> may_be_nan;  // outputs whose right answer may be NaN
  std::vector<std::string> groups;      // input groups that it knows; empty: any
  bool operator==(const OracleGreeting&) const = default;
};

// "name.in", "name.out", "name.got" inside a case's folder.
Path input_file(const Path& folder, std::string_view tensor);
Path expected_file(const Path& folder, std::string_view tensor);
Path actual_file(const Path& folder, std::string_view tensor);

// The lines of a greeting, the first and the last included.
Result<OracleGreeting> parse_greeting(const std::vector<std::string>& lines);
std::string greeting_text(const OracleGreeting& greeting);
inline constexpr std::string_view kGreetingStart = "forge-oracle 2";
inline constexpr std::string_view kGreetingEnd = "ready";

// Requests end with the line "end". An error: a name or path that holds a line break.
Result<std::string> case_request(const Instance& instance, std::uint64_t seed, const Path& folder);
// For inputs that lie in the folder already.
Result<std::string> expect_request(const Instance& instance, std::uint64_t seed,
                                   const Path& folder);
Result<std::string> compare_request(const Instance& instance, std::uint64_t seed,
                                    const Path& folder, std::string_view output,
                                    const Path& actual);

// The answer to a request: "ok", "ok 0.25 some detail" or "error some reason".
struct OracleOk {
  std::string rest;
};
struct OracleRefusal {
  std::string reason;
};
struct OracleGarbage {
  std::string line;
};
using OracleAnswer = std::variant<OracleOk, OracleRefusal, OracleGarbage>;
OracleAnswer parse_answer(std::string_view line);

// Of everything that determines a case's files.
Digest case_key(const Digest& oracle, const OracleGreeting& greeting, const Instance& instance,
                std::uint64_t seed);

}  // namespace forge
