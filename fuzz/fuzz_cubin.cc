// Whatever the bytes: no read outside them, and what is read has the order and bounds that others
// rely on.
#include <algorithm>
#include <cstdint>

#include "target/cuda/cubin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto cubin = forge::parse_cubin(bytes, "cubin");
  if (!cubin) return 0;
  FORGE_CHECK(forge::looks_like_cubin(bytes));
  for (const forge::CubinKernel& kernel : cubin->kernels) {
    FORGE_CHECK(cubin->find(kernel.name) == &kernel);
    for (const forge::CubinParameter& parameter : kernel.parameters) {
      FORGE_CHECK(std::uint64_t{parameter.offset} + parameter.bytes <= kernel.parameter_bytes);
    }
  }
  return 0;
}
