#include "judge/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "judge/compare.h"
#include "judge/integer_inputs.h"
#include "judge/oracle_process.h"
#include "judge/oracle_protocol.h"
#include "sys/making_folder.h"
#include "sys/support_files.h"

namespace forge {
namespace {

constexpr std::string_view kMakeAttempt = "cannot make a case with the oracle";
constexpr std::string_view kCompareAttempt = "cannot compare with the oracle";

template <typename Real>
std::optional<std::size_t> first_nan(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(Real); ++i) {
    Real value;
    std::memcpy(&value, bytes.data() + i * sizeof(Real), sizeof value);
    if (std::isnan(value)) return i;
  }
  return std::nullopt;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class ProcessOracle : public Oracle {
 public:
  ProcessOracle(const OracleLaunch& launch, Fs& fs, ProcessRunner& processes,
                std::unique_ptr<ConversationStarter> owned, ConversationStarter* conversations)
      : launch_(launch),
        fs_(fs),
        owned_conversations_(std::move(owned)),
        process_(launch, fs, processes,
                 conversations != nullptr ? *conversations : *owned_conversations_) {
    Hasher hasher;
    hasher.add(launch.digest.hex).add(support_files_digest().hex);
    hasher.add(launch.oracle.filename().string());
    hasher.add(launch.python).add(launch.compiler);
    identity_ = hasher.finish();
  }

  // Takes the greeting from the cache, else from the process.
  Status open() {
    const Result<std::string> stored = fs_.read(greeting_file());
    if (stored) {
      Result<OracleGreeting> greeting = parse_greeting(split_lines(trim(*stored)));
      if (greeting) {
        greeting_ = std::move(*greeting);
        return {};
      }
    }
    return start();
  }

  Result<CaseFiles> make_case(const Instance& instance, std::uint64_t seed) override {
    CaseFiles files{{instance.shape, instance.group, seed}, folder_of(instance, seed)};
    if (fs_.is_directory(files.folder)) return files;
    FORGE_TRY_STATUS(start());
    files.folder = folder_of(instance, seed);
    if (fs_.is_directory(files.folder)) return files;
    if (!greeting_.groups.empty() && !contains(greeting_.groups, instance.group)) {
      return wrong(fmt::format("it knows no group '{}'", instance.group));
    }
    FORGE_TRY_STATUS(make(instance, seed, files.folder));
    return files;
  }

  Status make_expected(const Instance& instance, std::uint64_t seed, const Path& folder) override {
    FORGE_TRY_STATUS(start());
    FORGE_TRY(const std::string request, expect_request(instance, seed, folder));
    FORGE_TRY_STATUS(process_.ask(request, kMakeAttempt).map([](const std::string&) {}));
    return check_files(instance, folder, NanRule::kAllowed);
  }

  Result<CustomComparison> compare(const CaseFiles& expected, const Instance& instance,
                                   const std::string& output, const Path& actual) override {
    if (!contains(greeting_.custom, output)) return CustomComparison{};
    FORGE_TRY_STATUS(start());
    FORGE_TRY(const std::string request,
              compare_request(instance, expected.id.seed, expected.folder, output, actual));
    FORGE_TRY(const std::string answer, process_.ask(request, kCompareAttempt));
    CustomComparison comparison;
    comparison.decides = true;
    const char* end = answer.data() + answer.size();
    const auto parsed = std::from_chars(answer.data(), end, comparison.error);
    if (parsed.ec != std::errc() || std::isnan(comparison.error) || comparison.error < 0) {
      return Error{ErrorKind::kInvalidInput, std::string(kCompareAttempt), launch_.oracle.string(),
                   fmt::format("its compare() of '{}' gave no error of 0 or more but '{}'", output,
                               clip(printable(answer), 80)),
                   ""};
    }
    comparison.detail = printable(trim(std::string_view(parsed.ptr, end)));
    return comparison;
  }

  std::string describe() const override { return greeting_.description; }
  const std::vector<std::string>& custom_outputs() const override { return greeting_.custom; }

 private:
  Path greeting_file() const { return launch_.cache / "oracles" / (identity_.hex + ".txt"); }

  Path folder_of(const Instance& instance, std::uint64_t seed) const {
    return launch_.cache / "cases" / case_key(identity_, greeting_, instance, seed).hex;
  }

  Error wrong(std::string cause) const {
    return Error{ErrorKind::kInvalidInput, std::string(kMakeAttempt), launch_.oracle.string(),
                 std::move(cause), ""};
  }

  // Starts the process unless it runs. What it says of itself may have changed since it was cached
  // (another PyTorch at the same place): then cases are made anew.
  Status start() {
    FORGE_TRY(OracleGreeting greeting, process_.greet());
    if (greeting == greeting_) return {};
    greeting_ = std::move(greeting);
    FORGE_TRY_STATUS(fs_.make_directories(greeting_file().parent_path()));
    return fs_.write_atomic(greeting_file(), greeting_text(greeting_));
  }

  Status make(const Instance& instance, std::uint64_t seed, const Path& final_folder) {
    if (!making_) {
      FORGE_TRY(MakingFolder making,
                MakingFolder::open(fs_, launch_.cache / "making", "an oracle that makes cases"));
      making_.emplace(std::move(making));
    }
    FORGE_TRY(const Path folder, making_->next());
    FORGE_TRY(const std::string request, case_request(instance, seed, folder));
    FORGE_TRY(const std::string answer, process_.ask(request, kMakeAttempt));
    FORGE_TRY_STATUS(check_files(instance, folder, NanRule::kAsDeclared));
    FORGE_TRY_STATUS(fs_.make_directories(final_folder.parent_path()));
    const Status renamed = fs_.rename(folder, final_folder);
    // Someone else may have made the same case meanwhile; it has the same content.
    if (renamed || fs_.is_directory(final_folder)) return {};
    return renamed;
  }

  // Outputs that may be NaN are declared; inputs that nobody foresaw have no declaration.
  enum class NanRule { kAsDeclared, kAllowed };

  Status check_files(const Instance& instance, const Path& folder, NanRule rule) {
    for (const ConcreteTensor& tensor : instance.tensors) {
      if (!tensor.present) continue;
      const Direction direction = tensor.param->direction;
      if (direction != Direction::kOutput) FORGE_TRY_STATUS(check_input(tensor, folder));
      if (direction != Direction::kInput) FORGE_TRY_STATUS(check_expected(tensor, folder, rule));
    }
    return {};
  }

  Status check_input(const ConcreteTensor& tensor, const Path& folder) {
    FORGE_TRY(const std::string bytes, read_checked(input_file(folder, tensor.param->name),
                                                    tensor.layout.span_bytes(), "input", tensor));
    if (is_float(tensor.layout.dtype)) return {};
    const auto fault = fault_of_integers(tensor, bytes);
    if (!fault) return {};
    return wrong(fmt::format("its input '{}' holds {}", tensor.param->name, *fault));
  }

  Result<std::string> read_checked(const Path& file, std::size_t bytes, std::string_view what,
                                   const ConcreteTensor& tensor) {
    Result<std::string> content = fs_.read(file);
    if (!content && content.error().kind == ErrorKind::kNotFound) {
      return wrong(fmt::format("it wrote no {} '{}'", what, tensor.param->name));
    }
    if (content && content->size() != bytes) {
      return wrong(fmt::format("it wrote {} bytes of {} '{}' and should have written {}",
                               content->size(), what, tensor.param->name, bytes));
    }
    return content;
  }

  Status check_expected(const ConcreteTensor& tensor, const Path& folder, NanRule rule) {
    const std::string& name = tensor.param->name;
    const Dtype stored = expected_dtype(tensor.layout.dtype);
    const auto elements = static_cast<std::size_t>(tensor.layout.elements());
    FORGE_TRY(const std::string bytes,
              read_checked(expected_file(folder, name), elements * dtype_bytes(stored), "output",
                           tensor));
    if (!is_float(stored) || rule == NanRule::kAllowed) return {};
    if (contains(greeting_.may_be_nan, name)) return {};
    const std::optional<std::size_t> nan =
        stored == Dtype::kF32 ? first_nan<float>(bytes) : first_nan<double>(bytes);
    if (!nan) return {};
    std::string index;
    for (const std::int64_t i : multi_index(tensor.layout.shape, static_cast<std::int64_t>(*nan))) {
      index += fmt::format("{}{}", index.empty() ? "" : ", ", i);
    }
    Error error = wrong(fmt::format("its output '{}' is NaN at [{}]", name, index));
    error.remedy =
        "an oracle whose right answer may be NaN must say so (see docs/formats/oracle.md)";
    return error;
  }

  OracleLaunch launch_;
  Fs& fs_;
  std::unique_ptr<ConversationStarter> owned_conversations_;
  OracleProcess process_;
  Digest identity_;
  OracleGreeting greeting_;
  std::optional<MakingFolder> making_;
};

Result<std::unique_ptr<Oracle>> open_oracle(std::unique_ptr<ProcessOracle> oracle) {
  FORGE_TRY_STATUS(oracle->open());
  return std::unique_ptr<Oracle>(std::move(oracle));
}

}  // namespace

Result<std::unique_ptr<Oracle>> start_oracle(const OracleLaunch& launch, Fs& fs,
                                             ProcessRunner& processes,
                                             ConversationStarter& conversations) {
  return open_oracle(
      std::make_unique<ProcessOracle>(launch, fs, processes, nullptr, &conversations));
}

Result<std::unique_ptr<Oracle>> start_oracle(const OracleLaunch& launch, Fs& fs,
                                             ProcessRunner& processes) {
  return open_oracle(std::make_unique<ProcessOracle>(launch, fs, processes,
                                                     make_real_conversation_starter(), nullptr));
}

}  // namespace forge
