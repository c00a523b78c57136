#include "problem/problem.h"

namespace forge {

std::string_view target_name(Target target) { return target == Target::kCpu ? "cpu" : "cuda"; }

const TensorParam* Signature::find_tensor(std::string_view name) const {
  for (const TensorParam& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

}  // namespace forge
