// What the user wrote, parsed and typed: tasks/<name>/ as a value. May know: base, sys/fs.h
// (reading only). Format: docs/formats/problem.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "base/expr.h"

namespace forge {

enum class Target { kCpu, kCuda };
std::string_view target_name(Target target);

enum class Direction { kInput, kInOut, kOutput };
enum class Presence { kRequired, kOptional };

// What the numbers of an integer tensor mean; it guides generators and stress inputs.
enum class IntegerMeaning { kValues, kOffsets, kIndices, kBlockTable, kLengths };

struct IntegerRange {
  Expr low;   // inclusive
  Expr high;  // inclusive
};

struct TensorParam {
  std::string name;
  Dtype dtype = Dtype::kF32;
  Direction direction = Direction::kInput;
  Presence presence = Presence::kRequired;
  std::vector<Expr> shape;                   // outermost first; empty: rank 0
  std::optional<std::vector<Expr>> strides;  // in elements; absent: contiguous
  std::optional<IntegerRange> range;         // integer tensors only
  IntegerMeaning meaning = IntegerMeaning::kValues;
};

struct ScalarParam {
  std::string name;
  Dtype dtype = Dtype::kF32;
};

struct Signature {
  std::vector<std::string> dims;
  std::vector<ScalarParam> scalars;
  // Inputs, then in-outs, then outputs, each in the user's order: the order of `struct Args`.
  std::vector<TensorParam> tensors;

  const TensorParam* find_tensor(std::string_view name) const;
};

using ScalarValue = std::variant<std::int64_t, double>;
using ScalarValues = std::map<std::string, ScalarValue, std::less<>>;

struct InputGroup {
  std::string name;
  std::string purpose;              // one line: what it is there to catch
  ScalarValues scalars;             // override the shape's
  std::vector<std::string> absent;  // optional inputs left out in this group
};

struct ShapeSpec {
  std::string name;
  Bindings dims;
  ScalarValues scalars;
  std::vector<InputGroup> groups;
};

struct Work {
  std::optional<Expr> bytes;
  std::optional<Expr> flops;
};

struct BuildSettings {
  std::vector<std::string> includes;  // relative to the problem's folder
  std::vector<std::string> flags;
  std::string standard = "c++20";
  std::vector<std::string> extra_files;
  std::string arch;  // CUDA: "sm_90a"; empty: the device's own
};

// Overrides of the calibrated rule for one output; shown in every report.
struct ToleranceOverride {
  std::string output;
  std::optional<double> factor;  // of the reference's worst error; default 2
  std::optional<double> floor;   // instead of the dtype's
};

enum class ReferenceLanguage { kPython, kCpp, kCuda };

struct ReferenceImplementation {
  std::string run;  // relative path
  ReferenceLanguage language = ReferenceLanguage::kPython;
  // Shared libraries that a C++ or CUDA reference links ("dnnl"). One that has none runs confined
  // like a candidate.
  std::vector<std::string> libraries;
};

enum class ReferenceMode { kSource, kBlackbox, kGenerate, kLeaderboard };

struct ReferenceSettings {
  ReferenceMode mode = ReferenceMode::kGenerate;
  std::vector<ReferenceImplementation> implementations;  // the fastest is the one to beat
  std::vector<std::string> source;
  std::vector<std::string> deny;
};

struct JudgeSettings {
  std::string oracle;  // relative path, .py or .cpp; empty: an agent must write it
  std::string author;  // who wrote it, for the report
  // Relative path of a tolerance that is taken instead of calibrating one; empty: none.
  std::string tolerance;
};

// Of a problem that evolution wrote: where it comes from.
struct Lineage {
  int generation = 1;    // its own; the problem that a person wrote is 0
  std::string original;  // name of generation 0
  std::string parent;    // name of the generation before
  std::string run;       // whose best is the reference now
  double ratio = 1;      // that run's confirmed gain over the parent's reference
};

// A public board that owns the problem's judge and timing, instead of a reference.
struct LeaderboardSettings {
  std::string board;    // "gpumode"
  std::string problem;  // the board's own name for it
};

struct Budget {
  double hours = 4.0;
  std::int64_t max_meta = 6;
  std::int64_t patience = 5;
  std::int64_t tokens = 0;  // 0: no limit
  double cost = 0.0;        // 0: no limit
};

struct Problem {
  std::string name;
  Target target = Target::kCpu;
  Signature signature;
  Work work;
  BuildSettings build;
  std::vector<ToleranceOverride> tolerance;
  ReferenceSettings reference;
  std::optional<LeaderboardSettings> leaderboard;
  JudgeSettings judge;
  std::optional<std::string> start_path;
  std::optional<Lineage> lineage;
  double goal_ratio = 1.0;
  Budget budget;
  std::string description;
  std::vector<ShapeSpec> shapes;
  std::vector<ShapeSpec> hidden_shapes;
  // Legal parts of the problem that this version can't execute yet, one sentence each.
  std::vector<std::string> not_yet_executable;
};

}  // namespace forge
