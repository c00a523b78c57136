#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>

#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

#include "scale.h"

namespace {

using namespace cute;

using Element = cutlass::tfloat32_t;
using Tile = Shape<_64, _64, _32>;
using Cluster = Shape<_1, _1, _1>;

using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, cutlass::layout::RowMajor,
    4, float, cutlass::layout::RowMajor, 4, cutlass::epilogue::NoSmemWarpSpecialized>::CollectiveOp;

using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, cutlass::layout::RowMajor, 4,
    Element, cutlass::layout::ColumnMajor, 4, float, Tile, Cluster,
    cutlass::gemm::collective::StageCount<3>,
    cutlass::gemm::KernelTmaWarpSpecialized>::CollectiveOp;

using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

// x as two 128 x 128 operands of one product.
typename Gemm::Arguments arguments(const float* x, float* y, float a) {
  using StrideA = typename Kernel::StrideA;
  using StrideB = typename Kernel::StrideB;
  using StrideD = typename Kernel::StrideD;
  constexpr int kSize = 128;
  const auto* operand = reinterpret_cast<const Element*>(x);
  return {cutlass::gemm::GemmUniversalMode::kGemm,
          {kSize, kSize, kSize, 1},
          {operand, StrideA{kSize, _1{}, 0}, operand, StrideB{kSize, _1{}, 0}},
          {{a, 0.0f}, nullptr, StrideD{kSize, _1{}, 0}, y, StrideD{kSize, _1{}, 0}}};
}

}  // namespace

std::size_t forge_workspace(const Dims*) {
  return Gemm::get_workspace_size(arguments(nullptr, nullptr, 1));
}

int forge_launch(const Args* args, void* stream) {
  Gemm gemm;
  const auto given = arguments(args->x, args->y, args->a);
  if (gemm.can_implement(given) != cutlass::Status::kSuccess) return 1;
  const cutlass::Status status = gemm.initialize(given, args->workspace, test::stream_of(stream));
  if (status != cutlass::Status::kSuccess) return 2;
  if (gemm.run(test::stream_of(stream)) != cutlass::Status::kSuccess) return 3;
  test::launch_rest(args, stream);
  return cudaGetLastError();
}
