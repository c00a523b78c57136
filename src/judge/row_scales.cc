// The scale s of each row: the median magnitude of its finite non-zero expected values.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "judge/compare.h"
#include "judge/tolerance.h"

namespace forge {
namespace {

constexpr std::int64_t kSmallestRow = 32;

// The largest magnitude that right kernels may lose to zero.
double vanishing(Dtype output) {
  switch (output) {
    case Dtype::kF64:
      return std::numeric_limits<double>::min();
    case Dtype::kF16:
      return 0x1p-24;
    case Dtype::kF8E4m3:
      return 0x1p-9;
    case Dtype::kF8E5m2:
      return 0x1p-16;
    default:
      return std::numeric_limits<float>::min();
  }
}

// Of the magnitudes' bit patterns, which order as the magnitudes do. The bucket is the exponent,
// for f32 with the first three bits of the fraction.
template <typename Real>
struct Bits;
template <>
struct Bits<float> {
  using Type = std::uint32_t;
  static constexpr Type kInfinity = 0x7f800000u;
  static constexpr int kBucketShift = 20;
};
template <>
struct Bits<double> {
  using Type = std::uint64_t;
  static constexpr Type kInfinity = 0x7ff0000000000000u;
  static constexpr int kBucketShift = 52;
};
constexpr std::size_t kBuckets = 2048;

// Scratch that is kept between rows.
template <typename Real>
struct Selection {
  std::vector<typename Bits<Real>::Type> magnitudes;
  std::vector<typename Bits<Real>::Type> bucket;
  std::vector<std::uint32_t> counts;
};

template <typename Real>
typename Bits<Real>::Type lower_median(std::vector<typename Bits<Real>::Type>& values,
                                       std::size_t rank) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A histogram narrows the row to one bucket first: several times faster than selecting from all.
template <typename Real>
typename Bits<Real>::Type median_by_bucket(Selection<Real>& selection) {
  using B = Bits<Real>;
  selection.counts.assign(kBuckets, 0);
  for (const auto bits : selection.magnitudes) ++selection.counts[bits >> B::kBucketShift];
  std::size_t rank = (selection.magnitudes.size() - 1) / 2;
  std::size_t wanted = 0;
  while (selection.counts[wanted] <= rank) rank -= selection.counts[wanted++];
  selection.bucket.clear();
  for (const auto bits : selection.magnitudes) {
    if ((bits >> B::kBucketShift) == wanted) selection.bucket.push_back(bits);
  }
  return lower_median<Real>(selection.bucket, rank);
}

template <typename Real>
double row_median(const std::byte* row, std::size_t elements, Selection<Real>& selection) {
  using B = Bits<Real>;
  selection.magnitudes.resize(elements);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    typename B::Type bits;
    std::memcpy(&bits, row + i * sizeof bits, sizeof bits);
    bits &= ~typename B::Type{0} >> 1;
    selection.magnitudes[kept] = bits;
    kept += bits != 0 && bits < B::kInfinity ? 1 : 0;
  }
  selection.magnitudes.resize(kept);
  if (kept == 0) return 0;
  constexpr std::size_t kWorthAHistogram = 1024;
  const auto median = kept < kWorthAHistogram
                          ? lower_median<Real>(selection.magnitudes, (kept - 1) / 2)
                          : median_by_bucket<Real>(selection);
  return static_cast<double>(std::bit_cast<Real>(median));
}

template <typename Real>
void fill_scales(std::span<const std::byte> expected, double smallest, RowScales& scales) {
  Selection<Real> selection;
  const auto elements = static_cast<std::size_t>(scales.row_elements);
  const std::byte* row = expected.data();
  for (double& scale : scales.scale) {
    scale = std::max(smallest, row_median<Real>(row, elements, selection));
    row += elements * sizeof(Real);
  }
}

std::int64_t row_elements_of(std::span<const std::int64_t> shape) {
  std::int64_t elements = 1;
  for (std::size_t i = shape.size(); i > 0 && elements < kSmallestRow; --i) {
    elements *= shape[i - 1];
  }
  return elements;
}

}  // namespace

RowScales row_scales(Dtype output, std::span<const std::int64_t> shape,
                     std::span<const std::byte> expected) {
  RowScales scales;
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  const Dtype stored = expected_dtype(output);
  FORGE_CHECK(expected.size() == static_cast<std::size_t>(elements) * dtype_bytes(stored));
  if (!is_float(output) || elements == 0) return scales;

  scales.row_elements = row_elements_of(shape);
  scales.scale.resize(static_cast<std::size_t>(elements / scales.row_elements));
  const double smallest = vanishing(output) / tolerance_floor(output);
  if (stored == Dtype::kF32) {
    fill_scales<float>(expected, smallest, scales);
  } else {
    fill_scales<double>(expected, smallest, scales);
  }
  return scales;
}

}  // namespace forge
