// The members of what several records hold (see field_json.h). Pure. May know: event.h.
#pragma once

#include "run/event.h"
#include "run/field_json.h"

namespace forge {

inline std::string_view text_of_enum(Comparison value) { return comparison_name(value); }
inline std::string_view text_of_enum(Ending value) { return ending_text(value); }

inline std::optional<Comparison> enum_of_text(Comparison, std::string_view text) {
  return parse_comparison(text);
}
inline std::optional<Ending> enum_of_text(Ending, std::string_view text) {
  return parse_ending(text);
}

template <typename A>
void fields(A& a, Interval& v) {
  a("point", v.point);
  a("low", v.low);
  a("high", v.high);
}

template <typename A>
void fields(A& a, MeasuredRatio& v) {
  a("ratio", v.ratio);
  a("comparison", v.comparison);
  a("trials", v.trials);
}

}  // namespace forge
