// Quantisation by oneDNN 2.x: a reduction finds the largest magnitudes, a reorder with scales
// rounds. Primitives and scratch are kept from call to call.
#include <cstdint>
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <vector>

#include "forge_args.h"

namespace {

using dnnl::memory;

constexpr int kEachGroup = 1 << 0;

class Quantize {
 public:
  Quantize(std::int64_t groups, std::int64_t size)
      : groups_(groups),
        x_layout_({groups, size}, memory::data_type::f32, memory::format_tag::ab),
        q_layout_({groups, size}, memory::data_type::s8, memory::format_tag::ab),
        one_layout_({groups, 1}, memory::data_type::f32, memory::format_tag::ab),
        factor_layout_({groups}, memory::data_type::f32, memory::format_tag::a),
        maximum_({{dnnl::algorithm::reduction_max, x_layout_, one_layout_, 0, 0}, engine_}),
        minimum_({{dnnl::algorithm::reduction_min, x_layout_, one_layout_, 0, 0}, engine_}),
        round_({engine_, x_layout_, engine_, q_layout_, with_factors()}),
        lowest_(static_cast<std::size_t>(groups)),
        factors_(static_cast<std::size_t>(groups)) {}

  void run(const float* x, float* scale, std::int8_t* q) {
    // oneDNN reads its source only; its interface has no pointer to const.
    memory source(x_layout_, engine_, const_cast<float*>(x));
    memory highest(one_layout_, engine_, scale);
    memory lowest(one_layout_, engine_, lowest_.data());
    maximum_.execute(stream_, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, highest}});
    minimum_.execute(stream_, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, lowest}});
    stream_.wait();
    for (std::int64_t g = 0; g < groups_; ++g) {
      const auto at = static_cast<std::size_t>(g);
      const float largest = scale[g] > -lowest_[at] ? scale[g] : -lowest_[at];
      scale[g] = largest / 127.0f;
      factors_[at] = scale[g] == 0 ? 0 : 1.0f / scale[g];
    }
    memory factors(factor_layout_, engine_, factors_.data());
    memory destination(q_layout_, engine_, q);
    round_.execute(stream_, {{DNNL_ARG_FROM, source},
                             {DNNL_ARG_TO, destination},
                             {DNNL_ARG_ATTR_OUTPUT_SCALES, factors}});
    stream_.wait();
  }

 private:
  static dnnl::primitive_attr with_factors() {
    dnnl::primitive_attr attributes;
    attributes.set_output_scales(kEachGroup, {DNNL_RUNTIME_F32_VAL});
    return attributes;
  }

  std::int64_t groups_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::desc x_layout_;
  memory::desc q_layout_;
  memory::desc one_layout_;
  memory::desc factor_layout_;
  dnnl::reduction maximum_;
  dnnl::reduction minimum_;
  dnnl::reorder round_;
  std::vector<float> lowest_;
  std::vector<float> factors_;
};

Quantize& quantize(std::int64_t groups, std::int64_t size) {
  static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<Quantize>> kept;
  auto& found = kept[{groups, size}];
  if (found == nullptr) found = std::make_unique<Quantize>(groups, size);
  return *found;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) try {
  const auto [rows, cols, group] = args->dims;
  quantize(rows * (cols / group), group).run(args->x, args->scale, args->q);
  return 0;
} catch (const dnnl::error& error) {
  return static_cast<int>(error.status);
}
