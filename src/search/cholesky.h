// Lower triangular factors of small symmetric positive definite matrices. Pure. May know: base.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace forge {

// A square matrix, row by row.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), values_(size * size, 0.0) {}
  std::size_t size() const { return size_; }
  double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  const double* row(std::size_t row) const { return &values_[row * size_]; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// Replaces the lower triangle by L with L·Lᵀ = the matrix. False if it is not positive definite.
bool factorise(Matrix& matrix);

// L·x = b, in place.
void solve_lower(const Matrix& factor, std::span<double> b);
// Lᵀ·x = b, in place.
void solve_upper(const Matrix& factor, std::span<double> b);

// log det of the factorised matrix.
double log_determinant(const Matrix& factor);

}  // namespace forge
