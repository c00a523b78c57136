#include "target/args_layout.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace forge {
namespace {

using Kind = ArgsField::Kind;

constexpr std::size_t kPointerBytes = 8;
constexpr std::size_t kStructAlignment = 8;  // of both structs: each holds a pointer or an int64

std::size_t round_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Lays members out one after the other, each at its natural alignment, as C++ does.
class Layouter {
 public:
  void add(Kind kind, std::string name, std::size_t bytes, std::size_t alignment,
           std::size_t index) {
    const std::size_t offset = round_up(end_, alignment);
    layout_.fields.push_back({kind, std::move(name), offset, bytes, index});
    end_ = offset + bytes;
  }

  ArgsLayout finish() {
    layout_.bytes = round_up(end_, kStructAlignment);
    return std::move(layout_);
  }

 private:
  ArgsLayout layout_;
  std::size_t end_ = 0;
};

void store_int64(std::byte* target, std::int64_t value) {
  std::memcpy(target, &value, sizeof value);
}

void store_scalar(std::byte* target, Dtype dtype, const ScalarValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return encode_element(dtype, *number, target);
  }
  // Not by way of double, which would round i64. The low bytes come first on every machine that
  // runs a kernel.
  std::memcpy(target, &std::get<std::int64_t>(value), dtype_bytes(dtype));
}

void store_strides(std::byte* target, const TensorLayout& layout) {
  for (std::size_t i = 0; i < layout.strides.size(); ++i) {
    store_int64(target + i * sizeof(std::int64_t), layout.strides[i]);
  }
}

}  // namespace

bool has_strides_member(const TensorParam& tensor) {
  return tensor.strides && !tensor.strides->empty();
}

const ArgsField* ArgsLayout::field_of_tensor(std::size_t tensor_index) const {
  for (const ArgsField& field : fields) {
    if (field.kind == Kind::kTensor && field.index == tensor_index) return &field;
  }
  return nullptr;
}

ArgsLayout args_layout(const Signature& signature) {
  Layouter layouter;
  const auto& tensors = signature.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    layouter.add(Kind::kTensor, tensors[i].name, kPointerBytes, kPointerBytes, i);
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!has_strides_member(tensors[i])) continue;
    layouter.add(Kind::kStrides, tensors[i].name + "_strides",
                 tensors[i].shape.size() * sizeof(std::int64_t), sizeof(std::int64_t), i);
  }
  // C++ gives an empty struct a byte; a reserved member keeps the size the same everywhere.
  const std::size_t dims_bytes =
      std::max<std::size_t>(signature.dims.size(), 1) * sizeof(std::int64_t);
  layouter.add(Kind::kDims, "dims", dims_bytes, sizeof(std::int64_t), 0);
  for (std::size_t i = 0; i < signature.scalars.size(); ++i) {
    const std::size_t bytes = dtype_bytes(signature.scalars[i].dtype);
    layouter.add(Kind::kScalar, signature.scalars[i].name, bytes, bytes, i);
  }
  layouter.add(Kind::kWorkspace, "workspace", kPointerBytes, kPointerBytes, 0);
  layouter.add(Kind::kWorkspaceBytes, "workspace_bytes", sizeof(std::size_t), sizeof(std::size_t),
               0);
  ArgsLayout layout = layouter.finish();
  for (const ArgsField& field : layout.fields) {
    if (field.kind == Kind::kDims) layout.dims_offset = field.offset;
  }
  layout.dims_bytes = dims_bytes;
  return layout;
}

std::vector<std::byte> dims_image(const Signature& signature, const Instance& instance) {
  std::vector<std::byte> image(std::max<std::size_t>(signature.dims.size(), 1) *
                               sizeof(std::int64_t));
  for (std::size_t i = 0; i < signature.dims.size(); ++i) {
    const auto found = instance.dims.find(signature.dims[i]);
    FORGE_CHECK(found != instance.dims.end());
    store_int64(image.data() + i * sizeof(std::int64_t), found->second);
  }
  return image;
}

std::vector<std::byte> args_image(const ArgsLayout& layout, const Signature& signature,
                                  const Instance& instance) {
  FORGE_CHECK(instance.tensors.size() == signature.tensors.size());
  FORGE_CHECK(instance.scalars.size() == signature.scalars.size());
  std::vector<std::byte> image(layout.bytes);
  for (const ArgsField& field : layout.fields) {
    std::byte* target = image.data() + field.offset;
    if (field.kind == Kind::kStrides) {
      store_strides(target, instance.tensors[field.index].layout);
    } else if (field.kind == Kind::kScalar) {
      store_scalar(target, signature.scalars[field.index].dtype,
                   instance.scalars[field.index].value);
    } else if (field.kind == Kind::kDims) {
      const std::vector<std::byte> dims = dims_image(signature, instance);
      std::copy(dims.begin(), dims.end(), target);
    }
  }
  return image;
}

}  // namespace forge
