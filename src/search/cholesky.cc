#include "search/cholesky.h"

#include <cmath>

namespace forge {
namespace {

double dot(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

bool factorise(Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix.at(i, j) = (matrix.at(i, j) - dot(matrix.row(i), matrix.row(j), j)) / matrix.at(j, j);
    }
    const double pivot = matrix.at(i, i) - dot(matrix.row(i), matrix.row(i), i);
    if (!(pivot > 0)) return false;
    matrix.at(i, i) = std::sqrt(pivot);
  }
  return true;
}

void solve_lower(const Matrix& factor, std::span<double> b) {
  for (std::size_t i = 0; i < factor.size(); ++i) {
    b[i] = (b[i] - dot(factor.row(i), b.data(), i)) / factor.at(i, i);
  }
}

void solve_upper(const Matrix& factor, std::span<double> b) {
  for (std::size_t i = factor.size(); i-- > 0;) {
    b[i] /= factor.at(i, i);
    for (std::size_t j = 0; j < i; ++j) b[j] -= factor.at(i, j) * b[i];
  }
}

double log_determinant(const Matrix& factor) {
  double sum = 0;
  for (std::size_t i = 0; i < factor.size(); ++i) sum += std::log(factor.at(i, i));
  return 2 * sum;
}

}  // namespace forge
