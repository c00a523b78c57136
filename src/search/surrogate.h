// What is believed of points that were not measured, from those that were: a Gaussian process over
// a space's parameters. Pure. May know: base, space.h. Method and sources: docs/search.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/cholesky.h"
#include "search/space.h"

namespace forge {

// The mean of some trials of one point in one job; less is better.
struct Sample {
  Point point;
  double value = 0;
  int trials = 1;
  int job = 0;
  double slope = 1;  // by how much less than usual its value moves with the time behind it
};

// Of the belief before any measurement, all found from the samples. The kernel of two points is
// scale² · Π (1 + relevance · likeness) / (1 + relevance) over the parameters: main effects,
// pairs, triples … with weights that fall with the relevance of each. The likeness of two values is
// 1 if they are equal; else, of a scale, exp(-distance / reach), of names, 0.
struct Beliefs {
  double scale = 0.3;
  double reach = 0.5;
  double noise = 0.02;  // sd of one trial of one arm
  double own = 0.015;   // sd of what a point shares with no other: how its code happens to lie
  std::vector<double> relevance;
};

class Surrogate {
 public:
  Surrogate(std::vector<Parameter> parameters, std::vector<Sample> samples);

  // The most likely beliefs, given the samples and mild expectations of what kernels do.
  void fit();

  const Beliefs& beliefs() const { return beliefs_; }
  const std::vector<Sample>& samples() const { return samples_; }
  double kernel(const Point& a, const Point& b) const;
  // Variance of the mean of so many trials.
  double noise_variance(int trials) const;

  // Solves for the samples as factorised by fit().
  std::vector<double> half_solved(const Point& point) const;  // L⁻¹ k(samples, point)
  double mean(const std::vector<double>& half_solved) const;

 private:
  double likeness(std::size_t parameter, std::size_t a, std::size_t b) const;
  Matrix covariance() const;
  double log_posterior();
  bool refactorise();
  void climb();

  std::vector<Parameter> parameters_;
  std::vector<std::vector<double>> places_;  // of scales; empty: names
  std::vector<Sample> samples_;
  Beliefs beliefs_;
  Matrix factor_{0};
  std::vector<double> solved_;  // L⁻¹ values
};

}  // namespace forge
