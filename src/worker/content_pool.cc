#include "worker/content_pool.h"

#include "base/random.h"
#include "judge/oracle_protocol.h"

namespace forge {

Result<ProblemShapes> all_shapes(const Problem& problem) {
  ProblemShapes shapes;
  const auto add = [&](const std::vector<ShapeSpec>& specs) -> Status {
    for (const ShapeSpec& spec : specs) {
      ShapeInstances groups;
      for (const InputGroup& group : spec.groups) {
        FORGE_TRY(Instance instance, instantiate(problem, spec, group));
        groups.push_back(std::move(instance));
      }
      shapes.names.push_back(spec.name);
      shapes.instances.push_back(std::move(groups));
    }
    return {};
  };
  FORGE_TRY_STATUS(add(problem.shapes));
  shapes.public_count = shapes.names.size();
  FORGE_TRY_STATUS(add(problem.hidden_shapes));
  return shapes;
}

ContentPool::ContentPool(const ProblemShapes& shapes, std::vector<std::uint64_t> seeds,
                         Oracle& oracle, Defences defences)
    : shapes_(&shapes), seeds_(std::move(seeds)), oracle_(&oracle), defences_(defences) {
  FORGE_CHECK(!seeds_.empty());
  contents_.resize(shapes.names.size());
}

Status ContentPool::require(std::size_t shape, int count) {
  auto& contents = contents_[shape];
  while (static_cast<int>(contents.size()) < count) {
    FORGE_TRY(Content content, make(shape, static_cast<int>(contents.size())));
    contents.push_back(std::move(content));
  }
  return {};
}

int ContentPool::adopt(std::size_t shape, Content content) {
  contents_[shape].push_back(std::move(content));
  return static_cast<int>(contents_[shape].size()) - 1;
}

Status map_files(const Instance& instance, CaseFiles files, Content& content) {
  content.files = std::move(files);
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    const ConcreteTensor& tensor = instance.tensors[t];
    MappedFile initial;
    if (tensor.present && tensor.param->direction != Direction::kOutput) {
      FORGE_TRY(initial, MappedFile::open(input_file(content.files.folder, tensor.param->name)));
    }
    content.initial.push_back(std::move(initial));
    if (!tensor.present || tensor.param->direction == Direction::kInput) continue;
    ExpectedOutput expected;
    expected.tensor = t;
    FORGE_TRY(expected.values,
              MappedFile::open(expected_file(content.files.folder, tensor.param->name)));
    if (is_float(tensor.layout.dtype)) {
      expected.scales =
          row_scales(tensor.layout.dtype, tensor.layout.shape, expected.values.bytes());
    }
    content.expected.push_back(std::move(expected));
  }
  return {};
}

Result<Content> ContentPool::make(std::size_t shape, int index) {
  const ShapeInstances& groups = shapes_->instances[shape];
  const auto turn = static_cast<std::size_t>(index) / groups.size();
  Content content;
  content.group = index % static_cast<int>(groups.size());
  content.seed = seeds_[turn % seeds_.size()];
  if (turn >= seeds_.size()) {
    content.seed = Random(content.seed, "content " + std::to_string(turn / seeds_.size())).next();
  }
  const Instance& instance = groups[static_cast<std::size_t>(content.group)];
  FORGE_TRY(CaseFiles files, oracle_->make_case(instance, content.seed));
  FORGE_TRY_STATUS(map_files(instance, std::move(files), content));
  return content;
}

const Content& ContentPool::content(std::size_t shape, int index) const {
  if (!defences_.has(Defence::kFreshContents)) return contents_[shape].front();
  return contents_[shape][static_cast<std::size_t>(index)];
}

const Instance& ContentPool::instance(std::size_t shape, int index) const {
  return shapes_->instances[shape][static_cast<std::size_t>(content(shape, index).group)];
}

ShapeContents ContentPool::describe(std::size_t shape) const {
  ShapeContents described;
  described.groups = static_cast<int>(shapes_->instances[shape].size());
  for (const Content& content : contents_[shape]) described.group_of.push_back(content.group);
  return described;
}

}  // namespace forge
