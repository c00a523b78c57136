// The matrix product by OpenBLAS.
#include <cblas.h>

#include "forge_args.h"

extern "C" int forge_launch(const Args* args, void*) {
  const auto m = static_cast<blasint>(args->dims.m);
  const auto n = static_cast<blasint>(args->dims.n);
  const auto k = static_cast<blasint>(args->dims.k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, args->a, k, args->b, n,
              0.0f, args->c, n);
  return 0;
}
