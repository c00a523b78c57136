// The oracle as a process of its own: it makes the inputs and says what is right. May know: base,
// sys, problem. Protocol: docs/formats/oracle.md.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "problem/instance.h"
#include "sys/conversation.h"
#include "sys/fs.h"
#include "sys/process.h"

namespace forge {

struct CaseId {
  std::string shape;
  std::string group;
  std::uint64_t seed = 0;
  auto operator<=>(const CaseId&) const = default;
};

// One case on disk: <folder>/<tensor>.in (the tensor's own layout, span_bytes() long; in-outs
// too) and <folder>/<tensor>.out (contiguous, expected_dtype()).
struct CaseFiles {
  CaseId id;
  Path folder;
};

// What the oracle's own compare() says of one output.
struct CustomComparison {
  bool decides = false;  // false: this output uses the standard rule
  double error = 0;      // 0 is right, more than 1 is wrong
  std::string detail;
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  // Makes the case, or finds it in the cache. The error says what the oracle did wrong.
  virtual Result<CaseFiles> make_case(const Instance& instance, std::uint64_t seed) = 0;
  // What follows from other inputs: `folder` holds <tensor>.in of each input and in-out, and gets
  // <tensor>.out. NaN is allowed. Never cached.
  virtual Status make_expected(const Instance& instance, std::uint64_t seed,
                               const Path& folder) = 0;
  // Outputs with several right answers. `actual` is the folder with <output>.got (contiguous, the
  // output's own dtype).
  virtual Result<CustomComparison> compare(const CaseFiles& expected, const Instance& instance,
                                           const std::string& output, const Path& actual) = 0;
  // "PyTorch 1.13.0, python 3.11.2" or "C++, g++ 12.2.0".
  virtual std::string describe() const = 0;
  // Names of the outputs that have a compare() of their own.
  virtual const std::vector<std::string>& custom_outputs() const = 0;
};

struct OracleLaunch {
  Path oracle;            // oracle.py or oracle.cpp inside the frozen check/ folder
  Digest digest;          // of check/; part of every cache key
  Path support;           // holds our python/ and include/, see sys/support_files.h
  Path cache;             // cases live in <cache>/cases/<digest>/
  std::string python;     // interpreter, for .py
  std::string compiler;   // for .cpp
  std::vector<int> cpus;  // where it may run; empty: anywhere
  std::chrono::milliseconds time_limit{120'000};  // for one answer
};

// The process starts when something is first asked of it that the cache can't answer: what an
// oracle says of itself is cached too, so that a job whose cases are all there pays nothing. After
// a crash or an overrun the next question starts it anew. fs, processes and conversations must
// outlive the oracle, which is for one thread; several may share a cache.
Result<std::unique_ptr<Oracle>> start_oracle(const OracleLaunch& launch, Fs& fs,
                                             ProcessRunner& processes,
                                             ConversationStarter& conversations);
Result<std::unique_ptr<Oracle>> start_oracle(const OracleLaunch& launch, Fs& fs,
                                             ProcessRunner& processes);

}  // namespace forge
