// Element types of tensors and scalars. May know: nothing of ours. Does no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace forge {

enum class Dtype : std::uint8_t {
  kF64,
  kF32,
  kF16,
  kBf16,
  kF8E4m3,
  kF8E5m2,
  kI64,
  kI32,
  kI16,
  kI8,
  kU8,
  kBool,
};

// The spelling used in task.toml, job files and reports: "f64", "bf16", "f8_e4m3", "bool", …
std::string_view dtype_name(Dtype dtype);
std::optional<Dtype> parse_dtype(std::string_view name);
std::span<const Dtype> all_dtypes();

std::size_t dtype_bytes(Dtype dtype);
bool is_float(Dtype dtype);

// The C++ type that the generated kernel header uses: "float", "forge::bf16", "std::int32_t", …
std::string_view dtype_cpp_type(Dtype dtype);

// Decodes one element at `bytes` (unaligned allowed). Integers beyond 2^53 lose precision: compare
// integer tensors bytewise instead.
double decode_element(Dtype dtype, const std::byte* bytes);

// Rounds to nearest even into `dtype` and writes dtype_bytes(dtype) bytes. f8_e4m3 has no infinity:
// values beyond 448 become NaN, as in the OCP 8-bit floating point specification (rev. 1.0).
void encode_element(Dtype dtype, double value, std::byte* bytes);

}  // namespace forge
