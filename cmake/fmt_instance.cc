// Instantiates fmt's out-of-line functions once; see ForgeDependencies.cmake.
#include <fmt/format-inl.h>

#include <locale>

// What fmt's headers declare but leave to its library.
namespace fmt {
namespace detail {
template locale_ref::locale_ref(const std::locale& locale);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template void buffer<char>::append(const char*, const char*);
}  // namespace detail
}  // namespace fmt
