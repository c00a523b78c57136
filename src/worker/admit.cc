#include "worker/admit.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/likeness.h"
#include "judge/oracle_protocol.h"

namespace forge {
namespace {

constexpr int kSingleElements = 4;  // tried of each output, shape and group

std::string settings_of(const Instance& instance) {
  std::string text;
  for (const ConcreteScalar& scalar : instance.scalars) {
    const auto* integer = std::get_if<std::int64_t>(&scalar.value);
    text += integer != nullptr ? fmt::format("{};", *integer)
                               : fmt::format("{:a};", std::get<double>(scalar.value));
  }
  for (const ConcreteTensor& tensor : instance.tensors) text += tensor.present ? "+" : "-";
  return text;
}

std::vector<Mutant> mutants_for(const Instance& instance) {
  std::vector<Mutant> mutants;
  for (const MutantKind kind :
       {MutantKind::kUnwritten, MutantKind::kZeros, MutantKind::kOnes, MutantKind::kOtherCase,
        MutantKind::kLastRowUnwritten, MutantKind::kLastRowZero, MutantKind::kSwappedRows,
        MutantKind::kNarrower}) {
    mutants.push_back({kind, ""});
  }
  mutants.insert(mutants.end(), kSingleElements, {MutantKind::kOneElement, ""});
  for (const ConcreteTensor& tensor : instance.tensors) {
    if (!tensor.present || tensor.param->direction == Direction::kOutput) continue;
    mutants.push_back({MutantKind::kCopy, tensor.param->name});
  }
  return mutants;
}

class Admitter {
 public:
  Admitter(Session& session, const ToleranceTable& tolerance)
      : session_(session),
        checker_(session.make_checker(tolerance)),
        random_(session.job().seeds.front(), "admission") {}

  Result<Admission> run() {
    const Problem& problem = session_.problem();
    for (const ToleranceOverride& one : problem.tolerance) evidence_.overridden.insert(one.output);
    for (std::size_t shape = 0; shape < session_.shapes().names.size(); ++shape) {
      FORGE_TRY_STATUS(try_shape(shape));
    }
    for (const TensorParam& tensor : problem.signature.tensors) {
      if (tensor.direction != Direction::kOutput) FORGE_TRY_STATUS(try_input(tensor.name));
    }
    for (const ScalarParam& scalar : problem.signature.scalars) {
      if (is_float(scalar.dtype)) FORGE_TRY_STATUS(try_scalar(scalar.name));
    }
    FORGE_TRY_STATUS(session_.context().fs->remove_all(folder_));
    return decide_admission(evidence_);
  }

 private:
  ContentPool& pool() { return session_.contents(); }
  int groups(std::size_t shape) const {
    return static_cast<int>(session_.shapes().instances[shape].size());
  }

  Status try_shape(std::size_t shape) {
    std::vector<GroupFeatures> features;
    for (int group = 0; group < groups(shape); ++group) {
      const Instance& instance = pool().instance(shape, group);
      const Content& content = pool().content(shape, group);
      for (std::size_t i = 0; i < content.expected.size(); ++i) {
        FORGE_TRY_STATUS(try_output(shape, group, i));
      }
      features.push_back(features_of(cases_of(shape, group), settings_of(instance), random_));
      for (int other = 0; other < group; ++other) {
        evidence_.groups.push_back(
            {instance.shape, pool().instance(shape, other).group, instance.group,
             likeness_of(features[static_cast<std::size_t>(other)], features.back())});
      }
    }
    return {};
  }

  // The inputs of all contents of a group.
  std::vector<std::vector<Source>> cases_of(std::size_t shape, int group) {
    std::vector<std::vector<Source>> cases;
    const auto made = static_cast<int>(pool().describe(shape).group_of.size());
    for (int index = group; index < made; index += groups(shape)) {
      const Instance& instance = pool().instance(shape, index);
      const Content& content = pool().content(shape, index);
      std::vector<Source>& sources = cases.emplace_back();
      for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
        if (content.initial[t].bytes().empty()) continue;
        sources.push_back({instance.tensors[t].layout, content.initial[t].bytes().data()});
      }
    }
    return cases;
  }

  static RightAnswer right_of(const Instance& instance, const ExpectedOutput& expected) {
    const TensorLayout& layout = instance.tensors[expected.tensor].layout;
    return right_answer(layout.dtype, layout.shape, expected.values.bytes(), expected.scales);
  }

  // All wrong answers for one output of one case.
  Status try_output(std::size_t shape, int group, std::size_t index) {
    const Instance& instance = pool().instance(shape, group);
    const Content& content = pool().content(shape, group);
    const ExpectedOutput& expected = content.expected[index];
    const CaseKind kind{instance.tensors[expected.tensor].param->name, instance.shape,
                        instance.group};
    const RightAnswer right = right_of(instance, expected);
    if (right.elements() == 0) return {};
    FORGE_TRY(const ComparedOutput accepted,
              checker_->compare(content, instance, expected, right.bytes.data()));
    if (accepted.wrong_elements > 0) {
      evidence_.right.push_back({kind, fmt::format("error {:.3g}", accepted.worst_error)});
      return {};
    }
    if (is_float(right.dtype) && right.elements() >= kEnoughForAHandful) {
      evidence_.values.push_back({kind, distinct_values(right, kHandful + 1)});
    }
    const RightAnswer other =
        right_of(instance, pool().content(shape, group + groups(shape)).expected[index]);
    for (const Mutant& mutant : mutants_for(instance)) {
      const MutantParts parts{source_of(instance, content, mutant.input), &other};
      const auto bytes = mutate(mutant, right, parts, random_);
      if (!bytes) {
        evidence_.mutants.push_back({kind, mutant, Fate::kSame});
        continue;
      }
      const auto compared = checker_->compare(content, instance, expected, bytes->data());
      if (compared) {
        const bool caught = compared->wrong_elements > 0;
        evidence_.mutants.push_back({kind, mutant, caught ? Fate::kCaught : Fate::kSurvived});
      } else if (compared.error().kind == ErrorKind::kEnvironment) {
        return compared.error();
      } else {
        evidence_.no_answers.push_back({kind, mutant, compared.error().cause});
        return {};
      }
    }
    return {};
  }

  static std::optional<Source> source_of(const Instance& instance, const Content& content,
                                         const std::string& input) {
    for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
      if (instance.tensors[t].param->name != input) continue;
      return Source{instance.tensors[t].layout, content.initial[t].bytes().data()};
    }
    return std::nullopt;
  }

  // Public shapes, the smallest first: what is seen there need not be looked for elsewhere.
  std::vector<std::size_t> shapes_by_size() const {
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
    for (std::size_t shape = 0; shape < session_.shapes().public_count; ++shape) {
      std::size_t bytes = 0;
      for (const auto& tensor : session_.shapes().instances[shape].front().tensors) {
        bytes += tensor.layout.span_bytes();
      }
      sizes.emplace_back(bytes, shape);
    }
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::size_t> shapes;
    for (const auto& [bytes, shape] : sizes) shapes.push_back(shape);
    return shapes;
  }

  Status try_input(const std::string& name) {
    InfluenceFinding finding;
    finding.name = name;
    for (const std::size_t shape : shapes_by_size()) {
      // Another seed's, or else another group's: some inputs are alike for all seeds.
      for (int step = groups(shape); step > 0; --step) {
        for (int group = 0; group < groups(shape); ++group) {
          FORGE_TRY_STATUS(exchange_input(shape, group, group + step, finding));
          if (finding.influence == Influence::kSeen) break;
        }
        if (finding.influence == Influence::kSeen) break;
      }
      if (finding.influence == Influence::kSeen) break;
    }
    evidence_.inputs.push_back(std::move(finding));
    return {};
  }

  Status exchange_input(std::size_t shape, int to, int from, InfluenceFinding& finding) {
    const Instance& instance = pool().instance(shape, to);
    const Instance& donor = pool().instance(shape, from);
    for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
      if (instance.tensors[t].param->name != finding.name) continue;
      const auto mine = pool().content(shape, to).initial[t].bytes();
      const auto theirs = pool().content(shape, from).initial[t].bytes();
      if (mine.empty() || !(instance.tensors[t].layout == donor.tensors[t].layout)) return {};
      if (std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end())) return {};
    }
    return look_for_influence(shape, to, from, instance, finding);
  }

  Status try_scalar(const std::string& name) {
    InfluenceFinding finding;
    finding.name = name;
    for (const std::size_t shape : shapes_by_size()) {
      for (int group = 0; group < groups(shape); ++group) {
        Instance doubled = pool().instance(shape, group);
        for (ConcreteScalar& scalar : doubled.scalars) {
          if (scalar.param->name != name) continue;
          const double value = std::get<double>(scalar.value);
          scalar.value = value == 0 ? 1 : 2 * value;
        }
        FORGE_TRY_STATUS(look_for_influence(shape, group, group, doubled, finding));
        if (finding.influence == Influence::kSeen) break;
      }
      if (finding.influence == Influence::kSeen) break;
    }
    evidence_.scalars.push_back(std::move(finding));
    return {};
  }

  // Asks the oracle what follows from a case's inputs with one of them replaced, and whether the
  // old answer would still pass.
  Status look_for_influence(std::size_t shape, int to, int from, const Instance& instance,
                            InfluenceFinding& finding) {
    const Content& content = pool().content(shape, to);
    FORGE_TRY_STATUS(lay_out(shape, to, from, finding.name));
    const Status told = session_.oracle().make_expected(instance, content.seed, folder_);
    if (!told && told.error().kind == ErrorKind::kEnvironment) return told;
    if (!told) {
      if (finding.influence == Influence::kConstant) finding.influence = Influence::kUnknown;
      finding.why = told.error().cause;
      return {};
    }
    Content exchanged;
    exchanged.seed = content.seed;
    FORGE_TRY_STATUS(map_files(instance, {content.files.id, folder_}, exchanged));
    finding.influence = Influence::kUnseen;
    for (std::size_t i = 0; i < content.expected.size(); ++i) {
      const RightAnswer before = right_of(instance, content.expected[i]);
      FORGE_TRY(const ComparedOutput compared,
                checker_->compare(exchanged, instance, exchanged.expected[i], before.bytes.data()));
      if (compared.wrong_elements > 0) finding.influence = Influence::kSeen;
    }
    return {};
  }

  // The inputs of content `to`, but for one that is content `from`'s.
  Status lay_out(std::size_t shape, int to, int from, const std::string& exchanged) {
    Fs& fs = *session_.context().fs;
    FORGE_TRY_STATUS(fs.remove_all(folder_));
    FORGE_TRY_STATUS(fs.make_directories(folder_));
    for (const ConcreteTensor& tensor : pool().instance(shape, to).tensors) {
      if (!tensor.present || tensor.param->direction == Direction::kOutput) continue;
      const std::string& name = tensor.param->name;
      const Content& content = pool().content(shape, name == exchanged ? from : to);
      FORGE_TRY_STATUS(
          fs.copy_tree(input_file(content.files.folder, name), input_file(folder_, name)));
    }
    return {};
  }

  Session& session_;
  std::unique_ptr<OutputChecker> checker_;
  Random random_;
  AdmissionEvidence evidence_;
  const Path folder_ = session_.scratch() / "exchanged";
};

}  // namespace

Result<Admission> admit_judge(Session& session, const ToleranceTable& tolerance) {
  return Admitter(session, tolerance).run();
}

}  // namespace forge
