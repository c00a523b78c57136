// Softmax of segments by oneDNN 2.x, which has it for rows of one length only: segments are copied
// into rows of the greatest length, whose rest is -inf, and back. Rows are done in batches that
// stay in the caches; primitives and scratch are kept from call to call.
#include <algorithm>
#include <cstdint>
#include <dnnl.hpp>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "forge_args.h"

namespace {

using dnnl::memory;

constexpr std::int64_t kBatchFloats = 1 << 15;

// Batches of rows, all of one length.
class PaddedSoftmax {
 public:
  explicit PaddedSoftmax(std::int64_t length)
      : length_(length),
        rows_(std::max<std::int64_t>(kBatchFloats / length, 1)),
        layout_({rows_, length}, memory::data_type::f32, memory::format_tag::ab),
        primitive_(description()),
        padded_(static_cast<std::size_t>(rows_ * length)) {}

  std::int64_t rows() const { return rows_; }
  float* row(std::int64_t i) { return padded_.data() + i * length_; }
  std::int64_t length() const { return length_; }

  void run() {
    memory data(layout_, engine_, padded_.data());
    primitive_.execute(stream_, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
    stream_.wait();
  }

 private:
  dnnl::softmax_forward::primitive_desc description() const {
    constexpr int kAlongRow = 1;
    return {{dnnl::prop_kind::forward_inference, layout_, kAlongRow}, engine_};
  }

  std::int64_t length_;
  std::int64_t rows_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::desc layout_;
  dnnl::softmax_forward primitive_;
  std::vector<float> padded_;
};

// Lengths are rounded up to powers of 2, so that short segments are not padded to the longest.
class PaddedSoftmaxes {
 public:
  explicit PaddedSoftmaxes(std::int64_t longest) {
    for (std::int64_t length = 16;; length *= 2) {
      by_length_.push_back(std::make_unique<PaddedSoftmax>(length));
      if (length >= longest) return;
    }
  }

  std::size_t count() const { return by_length_.size(); }
  PaddedSoftmax& at(std::size_t i) { return *by_length_[i]; }

 private:
  std::vector<std::unique_ptr<PaddedSoftmax>> by_length_;
};

struct Segment {
  std::int64_t begin;
  std::int64_t end;
};

void run_batch(const Args& args, PaddedSoftmax& softmax, const std::vector<Segment>& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    float* row = softmax.row(static_cast<std::int64_t>(i));
    const std::int64_t size = batch[i].end - batch[i].begin;
    for (std::int64_t j = 0; j < size; ++j) row[j] = args.factor * args.x[batch[i].begin + j];
    std::fill(row + size, row + softmax.length(), -std::numeric_limits<float>::infinity());
  }
  // Rows that no segment fills hold old numbers, which are as good as any.
  softmax.run();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const float* row = softmax.row(static_cast<std::int64_t>(i));
    std::copy(row, row + (batch[i].end - batch[i].begin), args.y + batch[i].begin);
  }
}

void run_all(const Args& args, PaddedSoftmaxes& softmaxes) {
  std::vector<std::vector<Segment>> waiting(softmaxes.count());
  for (std::int64_t s = 0; s < args.dims.segments; ++s) {
    const Segment segment{args.starts[s], args.starts[s + 1]};
    if (segment.begin == segment.end) continue;
    std::size_t i = 0;
    while (softmaxes.at(i).length() < segment.end - segment.begin) ++i;
    waiting[i].push_back(segment);
    if (static_cast<std::int64_t>(waiting[i].size()) < softmaxes.at(i).rows()) continue;
    run_batch(args, softmaxes.at(i), waiting[i]);
    waiting[i].clear();
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (!waiting[i].empty()) run_batch(args, softmaxes.at(i), waiting[i]);
  }
}

}  // namespace

extern "C" int forge_launch(const Args* args, void*) try {
  static std::map<std::int64_t, std::unique_ptr<PaddedSoftmaxes>> kept;
  auto& softmaxes = kept[args->dims.longest];
  if (softmaxes == nullptr) softmaxes = std::make_unique<PaddedSoftmaxes>(args->dims.longest);
  run_all(*args, *softmaxes);
  return 0;
} catch (const dnnl::error& error) {
  return static_cast<int>(error.status);
}
