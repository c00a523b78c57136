#include "worker/output_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/digest.h"
#include "judge/oracle_protocol.h"

namespace forge {
namespace {

// Of an oracle's own comparison, whatever the standard rule would allow.
constexpr double kMostRight = 1;

}  // namespace

OutputChecker::OutputChecker(const ContentPool& pool, Oracle& oracle, Fs& fs, Path scratch,
                             std::function<double(const CaseKind&)> allowed)
    : pool_(&pool),
      oracle_(&oracle),
      fs_(&fs),
      scratch_(std::move(scratch)),
      allowed_(std::move(allowed)) {}

bool OutputChecker::uses_custom_comparison(const std::string& output) const {
  const auto& custom = oracle_->custom_outputs();
  return std::find(custom.begin(), custom.end(), output) != custom.end();
}

Result<ComparedOutput> OutputChecker::compare_one(const Content& content, const Instance& instance,
                                                  const ExpectedOutput& expected,
                                                  const TensorLayout& layout,
                                                  const std::byte* actual, double allowed,
                                                  std::string& detail) {
  const ConcreteTensor& tensor = instance.tensors[expected.tensor];
  if (!uses_custom_comparison(tensor.param->name)) {
    return compare_output(layout, actual, expected.values.bytes(), expected.scales, allowed);
  }
  FORGE_TRY_STATUS(fs_->write_atomic(actual_file(scratch_, tensor.param->name),
                                     gathered(layout, actual), Durability::kScratch));
  FORGE_TRY(const CustomComparison custom,
            oracle_->compare(content.files, instance, tensor.param->name, scratch_));
  detail =
      custom.detail.empty() ? fmt::format("compare() says {:.3g}", custom.error) : custom.detail;
  ComparedOutput compared;
  compared.elements = layout.elements();
  compared.worst_error = custom.error;
  compared.wrong_elements = custom.error <= kMostRight ? 0 : 1;
  return compared;
}

Result<ComparedOutput> OutputChecker::compare(const Content& content, const Instance& instance,
                                              const ExpectedOutput& expected,
                                              const std::byte* contiguous) {
  const ConcreteTensor& tensor = instance.tensors[expected.tensor];
  std::string detail;
  return compare_one(content, instance, expected,
                     TensorLayout::contiguous(tensor.layout.dtype, tensor.layout.shape), contiguous,
                     allowed_({tensor.param->name, instance.shape, instance.group}), detail);
}

Result<bool> OutputChecker::check(std::size_t shape, int content_index,
                                  const std::vector<const std::byte*>& tensors) {
  const Content& content = pool_->content(shape, content_index);
  const Instance& instance = pool_->instance(shape, content_index);
  bool right = true;
  if (tell_) {
    Hasher hasher;
    for (const ExpectedOutput& expected : content.expected) {
      hasher.add(gathered(instance.tensors[expected.tensor].layout, tensors[expected.tensor]));
    }
    tell_(hasher.finish().hex);
  }
  for (const ExpectedOutput& expected : content.expected) {
    const ConcreteTensor& tensor = instance.tensors[expected.tensor];
    const CaseKind kind{tensor.param->name, instance.shape, instance.group};
    const double allowed = allowed_(kind);
    std::string detail;
    FORGE_TRY(const ComparedOutput compared,
              compare_one(content, instance, expected, tensor.layout, tensors[expected.tensor],
                          allowed, detail));
    right = right && compared.wrong_elements == 0;
    const auto [entry, is_new] = worst_.try_emplace(kind);
    if (is_new || compared.worst_error > entry->second.compared.worst_error) {
      entry->second = {compared, multi_index(tensor.layout.shape, compared.worst_index), allowed,
                       std::move(detail)};
      if (uses_custom_comparison(kind.output)) {
        entry->second.index.clear();
        entry->second.allowed = kMostRight;
      }
    }
  }
  return right;
}

std::vector<WrongValue> OutputChecker::wrong_values() const {
  std::vector<WrongValue> wrong;
  for (const auto& [kind, worst] : worst_) {
    if (worst.compared.wrong_elements == 0) continue;
    wrong.push_back({kind.shape, kind.group, kind.output, worst.index,
                     worst.compared.worst_expected, worst.compared.worst_got,
                     worst.compared.worst_error, worst.allowed, worst.compared.wrong_elements,
                     worst.compared.elements, worst.detail});
  }
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const WrongValue& a, const WrongValue& b) { return a.error > b.error; });
  return wrong;
}

}  // namespace forge
