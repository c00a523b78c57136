// The memory layout of the kernel interface's `struct Args` and `struct Dims`. Pure. May know:
// base, problem. Interface: docs/formats/kernel-interface.md. The generated header carries
// static_asserts of every offset, so that this file and the compiler can't disagree unnoticed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problem/instance.h"

namespace forge {

struct ArgsField {
  enum class Kind { kTensor, kStrides, kDims, kScalar, kWorkspace, kWorkspaceBytes };
  Kind kind = Kind::kTensor;
  std::string name;  // the C++ member
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::size_t index = 0;  // into Signature::tensors or ::scalars
};

struct ArgsLayout {
  std::vector<ArgsField> fields;
  std::size_t bytes = 0;        // sizeof(Args)
  std::size_t dims_offset = 0;  // of the embedded Dims
  std::size_t dims_bytes = 0;   // sizeof(Dims): one int64 a dim (without dims: one reserved)

  const ArgsField* field_of_tensor(std::size_t tensor_index) const;
};

// Whether Args has an array <name>_strides: the user gave strides, and the rank is not 0.
bool has_strides_member(const TensorParam& tensor);

ArgsLayout args_layout(const Signature& signature);

// Args for one instance with every pointer and the workspace left zero: dims, strides (in elements)
// and scalars are filled in. Whoever knows the addresses stores them at the tensors' offsets.
std::vector<std::byte> args_image(const ArgsLayout& layout, const Signature& signature,
                                  const Instance& instance);
std::vector<std::byte> dims_image(const Signature& signature, const Instance& instance);

}  // namespace forge
