// shapes.json: no input crashes the parser, and every instance that is accepted can be laid out.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "problem/instance.h"
#include "problem/parse_shapes.h"
#include "target/args_layout.h"

namespace {

forge::TensorParam tensor(const char* name, forge::Direction direction, const char* extent) {
  forge::TensorParam out;
  out.name = name;
  out.direction = direction;
  out.shape = {*forge::Expr::parse(extent), forge::Expr::constant(3)};
  return out;
}

const forge::Problem& fixed_problem() {
  static const forge::Problem problem = [] {
    forge::Problem out;
    out.signature.dims = {"n", "m"};
    out.signature.scalars = {{"s", forge::Dtype::kF16},
                             {"k", forge::Dtype::kI8},
                             {"b", forge::Dtype::kBool},
                             {"l", forge::Dtype::kI64}};
    out.signature.tensors = {tensor("x", forge::Direction::kInput, "n*m+k"),
                             tensor("y", forge::Direction::kOutput, "n/m")};
    out.signature.tensors[0].presence = forge::Presence::kOptional;
    out.signature.tensors[1].strides = {*forge::Expr::parse("m"), *forge::Expr::parse("l")};
    return out;
  }();
  return problem;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const forge::Problem& problem = fixed_problem();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto shapes = forge::parse_shapes(text, "shapes.json", problem.signature);
  if (!shapes) {
    FORGE_CHECK(shapes.error().message().find('\n') == std::string::npos);
    return 0;
  }
  const forge::ArgsLayout layout = forge::args_layout(problem.signature);
  for (const auto& shape : *shapes) {
    for (const auto& group : shape.groups) {
      const auto instance = forge::instantiate(problem, shape, group);
      if (!instance) continue;
      const auto image = forge::args_image(layout, problem.signature, *instance);
      FORGE_CHECK(image.size() == layout.bytes);
      FORGE_CHECK(instance->tensors[1].layout.span_bytes() > 0);
    }
  }
  return 0;
}
