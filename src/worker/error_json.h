// An Error as error.json says it, which a job leaves instead of result.json when the machinery
// failed. Pure. May know: base. Format: docs/formats/result.md.
#pragma once

#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace forge {

std::string_view error_kind_name(ErrorKind kind);  // "invalid_input", "infrastructure", …

Json to_json(const Error& error);
// The error that the document holds; if it holds none, the error that says so.
Error error_from_json(const Json& json, std::string_view document);

}  // namespace forge
