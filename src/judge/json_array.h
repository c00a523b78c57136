// May know: base.
#pragma once

#include "base/error.h"
#include "base/json.h"

namespace forge {

// The elements of what JsonReader::array() returned.
inline const Json::Array& elements_of(const Json* json) {
  const Json::Array* array = json->as_array();
  FORGE_CHECK(array != nullptr);
  return *array;
}

}  // namespace forge
