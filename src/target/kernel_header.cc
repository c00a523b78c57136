#include "target/kernel_header.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "target/args_layout.h"
#include "target/tunables.h"

namespace forge {
namespace {

std::string joined_exprs(const std::vector<Expr>& exprs) {
  std::string out;
  for (const Expr& expr : exprs) out += (out.empty() ? "" : ", ") + expr.text();
  return out;
}

std::string_view direction_words(Direction direction) {
  switch (direction) {
    case Direction::kInput:
      return "input";
    case Direction::kInOut:
      return "input and output";
    case Direction::kOutput:
      return "output";
  }
  invariant_failed(__FILE__, __LINE__, "unknown direction");
}

std::string_view meaning_words(IntegerMeaning meaning) {
  switch (meaning) {
    case IntegerMeaning::kValues:
      return "";
    case IntegerMeaning::kOffsets:
      return "; offsets";
    case IntegerMeaning::kIndices:
      return "; indices";
    case IntegerMeaning::kBlockTable:
      return "; a block table";
    case IntegerMeaning::kLengths:
      return "; lengths";
  }
  invariant_failed(__FILE__, __LINE__, "unknown meaning");
}

std::string tensor_comment(const TensorParam& tensor) {
  std::string out = fmt::format("{}: {} [{}]", direction_words(tensor.direction),
                                dtype_name(tensor.dtype), joined_exprs(tensor.shape));
  out += tensor.strides ? fmt::format(", strides [{}]", joined_exprs(*tensor.strides))
                        : std::string(", contiguous");
  out += meaning_words(tensor.meaning);
  if (tensor.range) {
    out += fmt::format("; from {} to {}", tensor.range->low.text(), tensor.range->high.text());
  }
  if (tensor.presence == Presence::kOptional) out += "; null where it is left out";
  return out;
}

std::string tensor_member(const TensorParam& tensor) {
  return fmt::format("  // {}\n  {}{}* {};\n", tensor_comment(tensor),
                     tensor.direction == Direction::kInput ? "const " : "",
                     dtype_cpp_type(tensor.dtype), tensor.name);
}

std::string member(const ArgsField& field, const Signature& signature) {
  switch (field.kind) {
    case ArgsField::Kind::kTensor:
      return tensor_member(signature.tensors[field.index]);
    case ArgsField::Kind::kStrides: {
      const TensorParam& tensor = signature.tensors[field.index];
      return fmt::format("  // of {}, in elements: [{}]\n  std::int64_t {}[{}];\n", tensor.name,
                         joined_exprs(*tensor.strides), field.name, tensor.strides->size());
    }
    case ArgsField::Kind::kDims:
      return "  Dims dims;\n";
    case ArgsField::Kind::kScalar: {
      const ScalarParam& scalar = signature.scalars[field.index];
      return fmt::format("  {} {};  // {}\n", dtype_cpp_type(scalar.dtype), scalar.name,
                         dtype_name(scalar.dtype));
    }
    case ArgsField::Kind::kWorkspace:
      return "  // what forge_workspace asked for; its content is unspecified; null if nothing\n"
             "  void* workspace;\n";
    case ArgsField::Kind::kWorkspaceBytes:
      return "  std::size_t workspace_bytes;\n";
  }
  invariant_failed(__FILE__, __LINE__, "unknown field");
}

std::string dims_struct(const Signature& signature) {
  std::string out = "// The extents of this call.\nstruct Dims {\n";
  for (const std::string& dim : signature.dims) out += fmt::format("  std::int64_t {};\n", dim);
  if (signature.dims.empty()) out += "  std::int64_t reserved;  // the problem has no dims\n";
  return out + "};\n";
}

std::string args_struct(const Signature& signature, const ArgsLayout& layout) {
  std::string out =
      "// Pointers are aligned to 64 bytes and overlap nowhere. Strides are in elements.\n"
      "struct Args {\n";
  for (const ArgsField& field : layout.fields) out += member(field, signature);
  return out + "};\n";
}

std::string layout_asserts(const ArgsLayout& layout) {
  std::string out = "// The layout that the caller fills in.\n";
  for (const ArgsField& field : layout.fields) {
    out += fmt::format("static_assert(offsetof(Args, {}) == {});\n", field.name, field.offset);
  }
  out += fmt::format("static_assert(sizeof(Args) == {});\n", layout.bytes);
  out += fmt::format("static_assert(sizeof(Dims) == {});\n", layout.dims_bytes);
  return out;
}

constexpr std::string_view kPreamble =
    "#pragma once\n\n"
    "#include <forge/kernel.h>\n\n"
    "#include <cstddef>\n"
    "#include <cstdint>\n\n"
    "static_assert(FORGE_KERNEL_INTERFACE == 1);\n\n"
    "namespace forge {\n\n";

constexpr std::string_view kDeclarations =
    "\n}  // namespace forge\n\n"
    "using forge::Args;\n"
    "using forge::Dims;\n\n"
    "// Computes all outputs; 0 is success. `stream` is the CUDA stream to launch on, null on "
    "CPUs.\n"
    "extern \"C\" int forge_launch(const Args* args, void* stream);\n\n"
    "// Optional: the bytes of scratch memory that a call with these dims needs.\n"
    "extern \"C\" std::size_t forge_workspace(const Dims* dims);\n";

}  // namespace

std::string kernel_header(const Problem& problem) {
  const ArgsLayout layout = args_layout(problem.signature);
  std::string out = fmt::format(
      "// The kernel interface of the problem '{}', version 1, for target {}. Generated: changes\n"
      "// are lost. What a kernel may and must do: docs/formats/kernel-interface.md.\n",
      problem.name, target_name(problem.target));
  out += kPreamble;
  out += dims_struct(problem.signature);
  out += '\n';
  out += args_struct(problem.signature, layout);
  out += '\n';
  out += layout_asserts(layout);
  out += kDeclarations;
  return out;
}

Result<std::string> tunable_header(const std::map<std::string, std::string>& values) {
  std::string out = "// Sets tunables; given to the compiler with -include.\n#pragma once\n";
  for (const auto& [name, value] : values) {
    const auto refused = [&](std::string cause) {
      return Error{ErrorKind::kInvalidInput, "cannot set",
                   fmt::format("tunable '{}'", clip(name, 80)), std::move(cause), ""};
    };
    if (!is_identifier(name)) return refused("the name is no C identifier");
    if (!is_tunable_setting(value)) {
      return refused(
          fmt::format("the value '{}' is no single C++ literal or identifier", clip(value, 80)));
    }
    out += fmt::format("#define FORGE_SET_{} ~, {}\n", name, value);
  }
  return out;
}

}  // namespace forge
