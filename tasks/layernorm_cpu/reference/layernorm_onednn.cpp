// Layer normalisation by oneDNN 2.x, with the primitives kept from call to call.
#include <cmath>
#include <cstdint>
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <tuple>

#include "forge_args.h"

namespace {

using dnnl::memory;

class LayerNorm {
 public:
  explicit LayerNorm(const Args& args)
      : data_({args.dims.rows, args.dims.cols}, memory::data_type::f32, memory::format_tag::ab),
        rows_({args.dims.rows}, memory::data_type::f32, memory::format_tag::a),
        cols_({args.dims.cols}, memory::data_type::f32, memory::format_tag::a),
        with_bias_(description(args.eps, kScale | kShift)),
        without_bias_(description(args.eps, kScale)) {}

  void run(const Args& args) {
    std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, of(data_, args.x)},
                                                 {DNNL_ARG_DST, of(data_, args.y)},
                                                 {DNNL_ARG_MEAN, of(rows_, args.mean)},
                                                 {DNNL_ARG_VARIANCE, of(rows_, args.rstd)},
                                                 {DNNL_ARG_SCALE, of(cols_, args.w)}};
    if (args.b != nullptr) arguments.emplace(DNNL_ARG_SHIFT, of(cols_, args.b));
    (args.b != nullptr ? with_bias_ : without_bias_).execute(stream_, arguments);
    stream_.wait();
    for (std::int64_t i = 0; i < args.dims.rows; ++i) {
      args.rstd[i] = 1.0f / std::sqrt(args.rstd[i] + args.eps);
    }
  }

 private:
  static constexpr auto kScale = dnnl::normalization_flags::use_scale;
  static constexpr auto kShift = dnnl::normalization_flags::use_shift;

  dnnl::layer_normalization_forward::primitive_desc description(
      float eps, dnnl::normalization_flags flags) const {
    return {{dnnl::prop_kind::forward_training, data_, rows_, eps, flags}, engine_};
  }
  // oneDNN reads its sources only; its interface has no pointer to const.
  memory of(const memory::desc& layout, const float* data) const {
    return {layout, engine_, const_cast<float*>(data)};
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::desc data_;
  memory::desc rows_;
  memory::desc cols_;
  dnnl::layer_normalization_forward with_bias_;
  dnnl::layer_normalization_forward without_bias_;
};

LayerNorm& layer_norm(const Args& args) {
  using Key = std::tuple<std::int64_t, std::int64_t, float>;
  static std::map<Key, std::unique_ptr<LayerNorm>> kept;
  auto& found = kept[{args.dims.rows, args.dims.cols, args.eps}];
  if (found == nullptr) found = std::make_unique<LayerNorm>(args);
  return *found;
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) try {
  layer_norm(*args).run(*args);
  return 0;
} catch (const dnnl::error& error) {
  return static_cast<int>(error.status);
}
