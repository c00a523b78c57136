// The kernel interface, version 1: what every kernel includes (through the generated forge_args.h).
// C++20, host and device. Documented in docs/formats/kernel-interface.md.
//
// It holds the element types that C++ lacks, and the macros that declare a kernel's tunables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#define FORGE_KERNEL_INTERFACE 1

#if defined(__CUDACC__)
#define FORGE_HOST_DEVICE __host__ __device__
#else
#define FORGE_HOST_DEVICE
#endif

namespace forge {

namespace detail {

FORGE_HOST_DEVICE constexpr std::uint32_t float_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}

FORGE_HOST_DEVICE constexpr float float_of(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}

// How a narrow floating-point format lies in its bits: sign, exponent, mantissa.
template <int ExponentBits, int MantissaBits, bool HasInfinity>
struct NarrowFormat {
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int kShift = 23 - MantissaBits;
  static constexpr std::uint32_t kMagnitudeMask = (1u << (ExponentBits + MantissaBits)) - 1;
  // Without infinity (f8_e4m3) only the code of all ones is NaN, and overflow becomes NaN.
  static constexpr std::uint32_t kInfinity =
      HasInfinity ? ((1u << ExponentBits) - 1) << MantissaBits : kMagnitudeMask;
  static constexpr std::uint32_t kNan =
      HasInfinity ? kInfinity | (1u << (MantissaBits - 1)) : kMagnitudeMask;
  static constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(127 - kBias);

  // Branch-free, so that loops over it become vector code.
  FORGE_HOST_DEVICE static constexpr float widen(std::uint32_t code) {
    const std::uint32_t magnitude = (code & kMagnitudeMask) << kShift;
    const std::uint32_t sign = (code >> (ExponentBits + MantissaBits)) << 31;
    // The smallest normal is added to the exponent of a subnormal and subtracted as a number:
    // exact, and right even where the processor flushes subnormals.
    const std::uint32_t normal = magnitude + (kRebias << 23);
    const float subnormal =
        float_of(magnitude + ((kRebias + 1) << 23)) - float_of((kRebias + 1) << 23);
    std::uint32_t bits = magnitude < (1u << 23) ? float_bits(subnormal) : normal;
    bits = (code & kMagnitudeMask) >= kInfinity
               ? (HasInfinity ? magnitude | 0x7f800000u : 0x7fc00000u)
               : bits;
    return float_of(bits | sign);
  }

  FORGE_HOST_DEVICE static constexpr std::uint32_t narrow(float value) {
    const std::uint32_t bits = float_bits(value);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const std::uint32_t sign = (bits >> 31) << (ExponentBits + MantissaBits);
    const std::uint32_t odd = (magnitude >> kShift) & 1;
    const std::uint32_t normal =
        ((magnitude + (1u << (kShift - 1)) - 1 + odd) >> kShift) - (kRebias << MantissaBits);
    // Adding a number whose last bit is the smallest subnormal makes the adder round to it.
    constexpr std::uint32_t kMagic = (kRebias + 1 + static_cast<std::uint32_t>(kShift)) << 23;
    const std::uint32_t subnormal = float_bits(float_of(magnitude) + float_of(kMagic)) - kMagic;
    std::uint32_t code = magnitude < ((kRebias + 1) << 23) ? subnormal : normal;
    code = magnitude < 0x7f800000u && code < kInfinity ? code : kInfinity;
    code = magnitude > 0x7f800000u ? kNan : code;
    return code | sign;
  }
};

using F16Format = NarrowFormat<5, 10, true>;
using F8E5m2Format = NarrowFormat<5, 2, true>;
using F8E4m3Format = NarrowFormat<4, 3, false>;

}  // namespace detail

// Storage only: compute in float. from_float rounds to nearest, ties to even; NaN stays NaN.
struct bf16 {
  std::uint16_t bits;

  FORGE_HOST_DEVICE static constexpr bf16 from_float(float value) {
    const std::uint32_t from = detail::float_bits(value);
    const std::uint32_t rounded = (from + 0x7fffu + ((from >> 16) & 1)) >> 16;
    const std::uint32_t nan = (from >> 16) | 0x40u;
    return {static_cast<std::uint16_t>((from & 0x7fffffffu) > 0x7f800000u ? nan : rounded)};
  }
  FORGE_HOST_DEVICE constexpr float to_float() const {
    return detail::float_of(static_cast<std::uint32_t>(bits) << 16);
  }
};

struct f16 {
  std::uint16_t bits;

  FORGE_HOST_DEVICE static constexpr f16 from_float(float value) {
    return {static_cast<std::uint16_t>(detail::F16Format::narrow(value))};
  }
  FORGE_HOST_DEVICE constexpr float to_float() const { return detail::F16Format::widen(bits); }
};

// No infinity: what rounds beyond 448 becomes NaN.
struct f8_e4m3 {
  std::uint8_t bits;

  FORGE_HOST_DEVICE static constexpr f8_e4m3 from_float(float value) {
    return {static_cast<std::uint8_t>(detail::F8E4m3Format::narrow(value))};
  }
  FORGE_HOST_DEVICE constexpr float to_float() const { return detail::F8E4m3Format::widen(bits); }
};

struct f8_e5m2 {
  std::uint8_t bits;

  FORGE_HOST_DEVICE static constexpr f8_e5m2 from_float(float value) {
    return {static_cast<std::uint8_t>(detail::F8E5m2Format::narrow(value))};
  }
  FORGE_HOST_DEVICE constexpr float to_float() const { return detail::F8E5m2Format::widen(bits); }
};

static_assert(sizeof(bf16) == 2 && sizeof(f16) == 2);
static_assert(sizeof(f8_e4m3) == 1 && sizeof(f8_e5m2) == 1);

// The same by function, for kernels that are templates over the element type.
FORGE_HOST_DEVICE constexpr float to_float(bf16 value) { return value.to_float(); }
FORGE_HOST_DEVICE constexpr float to_float(f16 value) { return value.to_float(); }
FORGE_HOST_DEVICE constexpr float to_float(f8_e4m3 value) { return value.to_float(); }
FORGE_HOST_DEVICE constexpr float to_float(f8_e5m2 value) { return value.to_float(); }
FORGE_HOST_DEVICE constexpr float to_float(float value) { return value; }

template <typename T>
FORGE_HOST_DEVICE constexpr T from_float(float value) {
  return T::from_float(value);
}
template <>
FORGE_HOST_DEVICE constexpr float from_float<float>(float value) {
  return value;
}

namespace detail {

template <typename T>
constexpr bool is_one_of(T value, std::initializer_list<T> values) {
  for (const T& allowed : values) {
    if (allowed == value) return true;
  }
  return false;
}

template <typename T>
constexpr bool are_all_of(std::initializer_list<T> given, std::initializer_list<T> values) {
  for (const T& value : given) {
    if (!is_one_of(value, values)) return false;
  }
  return true;
}

// For unevaluated use.
template <typename T>
T value() noexcept;

template <int kConditions>
struct Truths {
  static constexpr int kCount = kConditions;
  bool values[kConditions];
  // Of those that hold, else the number of them all.
  constexpr int first() const {
    for (int i = 0; i < kConditions; ++i) {
      if (values[i]) return i;
    }
    return kConditions;
  }
};
template <typename... Conditions>
constexpr Truths<static_cast<int>(sizeof...(Conditions))> truths(Conditions... conditions) {
  return {{static_cast<bool>(conditions)...}};
}

// Not callable in a constant expression: a list of another length than there are classes does not
// compile, and this name is in the message.
inline void tunable_by_shape_needs_one_default_a_class() {}
template <typename T, int kClasses>
constexpr T value_of_class(int shape_class, std::initializer_list<T> values) {
  if (values.size() != kClasses) tunable_by_shape_needs_one_default_a_class();
  return values.begin()[shape_class];
}

template <int kValue>
struct Constant {
  constexpr int operator()() const { return kValue; }
};
template <int kClasses, int kClass, typename Function>
constexpr auto call_for_class(int shape_class, Function& function) {
  if constexpr (kClass + 1 < kClasses) {
    if (shape_class != kClass) {
      return call_for_class<kClasses, kClass + 1>(shape_class, function);
    }
  }
  return function(Constant<kClass>());
}

}  // namespace detail
}  // namespace forge

// FORGE_TUNABLE(int, kVec, 8, 1, 2, 4, 8, 16) declares `static constexpr int kVec`, 8 by default,
// and lists every value that it may take, the default among them. FORGE_STRUCTURE is the same for
// choices that change which structure the kernel has, not only how it is sized.
//
// A header given with -include before the kernel sets another value: `#define FORGE_SET_kVec ~,
// 16`. That macro expands to two arguments, so that the second of the list is 16; undefined, it is
// one argument, and the second is the default.
#define FORGE_TUNABLE(type, name, default_value, ...)                                 \
  static constexpr type name = FORGE_DETAIL_PICK(FORGE_SET_##name, default_value, ~); \
  static_assert(::forge::detail::is_one_of<type>(name, {__VA_ARGS__}),                \
                "tunable " #name " is set to a value that its declaration does not list")
#define FORGE_STRUCTURE(type, name, default_value, ...) \
  FORGE_TUNABLE(type, name, default_value, __VA_ARGS__)

// FORGE_SHAPES(dims.cols >= 8192, dims.rows < 64) sorts calls into classes by their dims: the first
// condition that holds says which, and what meets none is of the last class, so that every dims
// have a class. Once a file, at namespace scope, before the tunables that differ by class:
// FORGE_TUNABLE_BY_SHAPE(int, kVec, (8, 4, 4), 1, 2, 4, 8) declares `template <int> constexpr int
// kVec`, with a default for each class.
//
//   template <int kShape> int run(const Args& args) { … kVec<kShape> … }
//   int forge_launch(const Args* args, void*) {
//     return by_shape(args->dims, [&](auto shape) { return run<shape()>(*args); });
//   }
#define FORGE_SHAPES(...)                                                                        \
  [[maybe_unused]] static constexpr auto forge_shape_conditions(const ::forge::Dims& dims) {     \
    static_cast<void>(dims);                                                                     \
    return ::forge::detail::truths(__VA_ARGS__);                                                 \
  }                                                                                              \
  static constexpr int kForgeShapeClasses =                                                      \
      decltype(forge_shape_conditions(::forge::detail::value<const ::forge::Dims&>()))::kCount + \
      1;                                                                                         \
  template <typename Function>                                                                   \
  static constexpr auto by_shape(const ::forge::Dims& dims, Function&& function) {               \
    return ::forge::detail::call_for_class<kForgeShapeClasses, 0>(                               \
        forge_shape_conditions(dims).first(), function);                                         \
  }                                                                                              \
  static_assert(kForgeShapeClasses > 1)
#define FORGE_TUNABLE_BY_SHAPE(type, name, defaults, ...)                                          \
  template <int kClass>                                                                            \
  static constexpr type name = ::forge::detail::value_of_class<type, kForgeShapeClasses>(          \
      kClass, {FORGE_DETAIL_UNLIST(FORGE_DETAIL_PICK(FORGE_SET_##name, defaults, ~))});            \
  static_assert(                                                                                   \
      ::forge::detail::are_all_of<type>(                                                           \
          {FORGE_DETAIL_UNLIST(FORGE_DETAIL_PICK(FORGE_SET_##name, defaults, ~))}, {__VA_ARGS__}), \
      "tunable " #name " is set to a value that its declaration does not list")
#define FORGE_STRUCTURE_BY_SHAPE(type, name, defaults, ...) \
  FORGE_TUNABLE_BY_SHAPE(type, name, defaults, __VA_ARGS__)

// FORGE_REQUIRE(kRows * kVec <= 64) states which combinations of tunables make a kernel. A
// combination that breaks it does not compile and is skipped by a sweep. Of tunables that differ by
// class it is said inside a template over `kShape`: FORGE_REQUIRE(kRows * kVec<kShape> <= 64).
#define FORGE_REQUIRE(...) \
  static_assert((__VA_ARGS__), "these tunables break FORGE_REQUIRE(" #__VA_ARGS__ ")")

#define FORGE_DETAIL_PICK(...) FORGE_DETAIL_SECOND(__VA_ARGS__)
#define FORGE_DETAIL_SECOND(first, second, ...) second
#define FORGE_DETAIL_UNLIST(list) FORGE_DETAIL_UNWRAP list
#define FORGE_DETAIL_UNWRAP(...) __VA_ARGS__
