// Says whether a call's outputs are right, and remembers the worst of every kind of case. May know:
// judge, content_pool.h.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "judge/outcome.h"
#include "judge/tolerance.h"
#include "worker/content_pool.h"

namespace forge {

// The worst of one output, shape and group over everything checked so far.
struct WorstCase {
  ComparedOutput compared;
  std::vector<std::int64_t> index;
  double allowed = 0;
  std::string detail;  // of a custom comparison; never empty there
};

class OutputChecker {
 public:
  // `allowed` gives the tolerance of a kind of case; infinity records without judging.
  OutputChecker(const ContentPool& pool, Oracle& oracle, Fs& fs, Path scratch,
                std::function<double(const CaseKind&)> allowed);

  // `first_bytes[t]` points at the first element of tensor t of the call's instance; only outputs
  // and in-outs are looked at. True if all are right. An error is the oracle's.
  Result<bool> check(std::size_t shape, int content, const std::vector<const std::byte*>& tensors);

  // The same for one output that no kernel wrote: contiguous, compared under the tolerance and not
  // remembered.
  Result<ComparedOutput> compare(const Content& content, const Instance& instance,
                                 const ExpectedOutput& expected, const std::byte* contiguous);

  // From now on check() tells the digest of each call's outputs, right or wrong.
  void on_outputs(std::function<void(const std::string& digest)> tell) { tell_ = std::move(tell); }

  const std::map<CaseKind, WorstCase>& worst() const { return worst_; }
  // The failures among them, worst first.
  std::vector<WrongValue> wrong_values() const;

  // Whether the oracle compares this output itself, on its own scale: at most 1 is right.
  bool uses_custom_comparison(const std::string& output) const;

 private:
  Result<ComparedOutput> compare_one(const Content& content, const Instance& instance,
                                     const ExpectedOutput& expected, const TensorLayout& layout,
                                     const std::byte* actual, double allowed, std::string& detail);

  const ContentPool* pool_;
  Oracle* oracle_;
  Fs* fs_;
  Path scratch_;
  std::function<double(const CaseKind&)> allowed_;
  std::map<CaseKind, WorstCase> worst_;
  std::function<void(const std::string& digest)> tell_;
};

}  // namespace forge
