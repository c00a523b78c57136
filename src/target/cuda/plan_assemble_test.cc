#include "target/cuda/plan_assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace forge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kNonce = 0x1122334455667789;
constexpr std::uint64_t kX = recorder::kFirstDeviceAddress + (1ull << 33);

std::string words(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

std::string mark(std::uint64_t number) {
  recorder::TensorMapMark made{};
  made.nonce = kNonce;
  made.number = number;
  for (int i = 0; i < 14; i += 2) {
    made.repeated[i] = kNonce;
    made.repeated[i + 1] = number;
  }
  return std::string(reinterpret_cast<const char*>(&made), sizeof made);
}

// Two buffers, x of 256 bytes and y of 64, one symbol of 16 bytes, and three calls of one variant.
class PlanAssemble : public testing::Test {
 protected:
  PlanAssemble() {
    cubin.kernels.resize(1);
    cubin.kernels[0].name = "k";
    cubin.symbols = {{"s", PlanSection::kGlobal, 0, 16, PlanSymbol::Image::kFromCubin}};
    setup.nonce = kNonce;
    setup.variants = {{0, 1, 2}};
    setup.calls.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t moved = i == 1 ? 0x7000000100 : 0;
      setup.calls[i].buffers = {kX + moved, kX + (1ull << 34) + 3 * moved};
      setup.calls[i].workspace = kX + (1ull << 35) + 5 * moved;
      setup.calls[i].symbols = {kX + (1ull << 36) + 7 * moved};
      setup.calls[i].fill = i == 2 ? 0xa5 : 0x5b;
    }
    recording.calls.resize(3);
    for (CallRecording& call : recording.calls) call.result = 0;
  }

  std::uint64_t x(std::size_t call) const { return setup.calls[call].buffers[0]; }
  std::uint64_t y(std::size_t call) const { return setup.calls[call].buffers[1]; }

  // A launch whose parameters are `of(call)`.
  template <typename Of>
  void launch(Of of) {
    for (std::size_t i = 0; i < 3; ++i) {
      RawLaunch raw;
      raw.fields.grid[0] = raw.fields.grid[1] = raw.fields.grid[2] = 1;
      raw.fields.block[0] = raw.fields.block[1] = raw.fields.block[2] = 1;
      raw.fields.carveout = -1;
      raw.parameters = of(i);
      raw.fields.parameter_bytes = static_cast<std::uint32_t>(raw.parameters.size());
      recording.calls[i].steps.push_back(raw);
    }
  }
  RawLaunch& launched(std::size_t call) {
    return std::get<RawLaunch>(recording.calls[call].steps.back());
  }

  std::variant<PlanVariant, PlanRefused, LaunchReturned> assemble() {
    return assemble_variant(
        {setup, recording, cubin}, 0,
        {{PlanBufferKind::kInput, "x", 256}, {PlanBufferKind::kOutput, "y", 64}});
  }
  std::string refusal() {
    const auto made = assemble();
    const auto* refused = std::get_if<PlanRefused>(&made);
    return refused == nullptr ? "" : refused->reason;
  }
  PlanBlob parameters() {
    const auto made = assemble();
    if (!std::holds_alternative<PlanVariant>(made)) ADD_FAILURE() << refusal();
    return std::get<PlanLaunch>(std::get<PlanVariant>(made).steps.back()).parameters;
  }

  Cubin cubin;
  PlannerSetup setup;
  Recording recording;
};

TEST_F(PlanAssemble, MakesPointersOfWhatMovedWithABuffer) {
  launch([&](std::size_t i) {
    return words({x(i) + 16, 42, y(i) + 64, setup.calls[i].symbols[0] + 8});
  });
  const PlanBlob blob = parameters();
  EXPECT_EQ(blob.bytes, words({0, 42, 0, 0}));
  EXPECT_THAT(blob.relocations, ElementsAre(PlanRelocation{0, {PlanSpace::kBuffer, 0, 16}},
                                            PlanRelocation{16, {PlanSpace::kBuffer, 1, 64}},
                                            PlanRelocation{24, {PlanSpace::kSymbol, 0, 8}}));
}

TEST_F(PlanAssemble, RefusesPointersBesideTheirBuffers) {
  launch([&](std::size_t i) { return words({x(i) - 4}); });
  EXPECT_THAT(refusal(), HasSubstr("points 4 bytes before x"));
  recording.calls.assign(3, CallRecording{0, 0, {}, {}});
  launch([&](std::size_t i) { return words({y(i) + 65}); });
  EXPECT_THAT(refusal(), HasSubstr("points 1 bytes behind the end of y"));
}

TEST_F(PlanAssemble, RefusesWhatDependsOnAddressesOtherwise) {
  for (const int kind : {0, 1, 2, 3}) {
    recording.calls.assign(3, CallRecording{0, 0, {}, {}});
    launch([&](std::size_t i) {
      switch (kind) {
        case 0:
          return words({x(i) ^ 0xff00000000000000});
        case 1:
          return words({y(i) - x(i)});
        case 2:
          return words({0}) + words({x(i)}).substr(0, 4);  // half a pointer
        default:
          return "abcd" + words({x(i), 0}).substr(0, 12);  // not aligned
      }
    });
    EXPECT_THAT(refusal(), HasSubstr("depends on where the buffers lie")) << kind;
  }
}

TEST_F(PlanAssemble, RefusesWhatDiffersWithTheSameArguments) {
  launch([&](std::size_t i) { return words({1, i == 2 ? 8u : 7u}); });
  EXPECT_THAT(refusal(), HasSubstr("byte 8 of its parameters differs between two calls"));
}

TEST_F(PlanAssemble, RefusesLaunchesThatDiffer) {
  const auto none = [](std::size_t) { return std::string(); };
  launch(none);
  launched(2).fields.grid[0] = 2;
  EXPECT_THAT(refusal(), HasSubstr("grid, block or attributes differs between two calls"));
  launched(2).fields.grid[0] = 1;
  launched(1).fields.dynamic_shared = 5;
  EXPECT_THAT(refusal(), HasSubstr("attributes depends on where the buffers lie"));
  launched(1).fields.dynamic_shared = 0;
  recording.calls[2].steps.pop_back();
  EXPECT_THAT(refusal(), HasSubstr("the number of its launches differs between two calls"));
}

TEST_F(PlanAssemble, EmptiesWhatNobodyHasWritten) {
  launch([&](std::size_t i) {
    const char fill = static_cast<char>(setup.calls[i].fill);
    return std::string(1, 'a') + std::string(7, fill) + words({x(i)}) + std::string(4, 'b') +
           std::string(4, fill);
  });
  const PlanBlob blob = parameters();
  EXPECT_EQ(blob.bytes,
            std::string("a\0\0\0\0\0\0\0", 8) + words({0}) + std::string("bbbb\0\0\0\0", 8));
  EXPECT_EQ(blob.relocations.size(), 1u);
}

// A byte that happens to hold the fill of one call is no unwritten memory.
TEST_F(PlanAssemble, KeepsBytesThatOnlyResembleTheFill) {
  launch([&](std::size_t) { return std::string(8, '\x5b'); });
  EXPECT_EQ(parameters().bytes, std::string(8, '\x5b'));
}

TEST_F(PlanAssemble, FindsTensorMapsByTheirMarks) {
  for (std::size_t i = 0; i < 3; ++i) {
    recorder::TensorMapRecord map{};
    map.rank = 2;
    map.address = x(i) + 32;
    map.data_type = 7;
    map.sizes[0] = map.sizes[1] = 4;
    map.strides[0] = 16;
    recording.calls[i].maps = {map};
  }
  launch([&](std::size_t i) { return words({x(i), 0}) + mark(0) + words({7}); });
  const auto made = assemble();
  ASSERT_TRUE(std::holds_alternative<PlanVariant>(made)) << refusal();
  const auto& variant = std::get<PlanVariant>(made);
  ASSERT_EQ(variant.tensor_maps.size(), 1u);
  EXPECT_EQ(variant.tensor_maps[0].base, (PlanAddress{PlanSpace::kBuffer, 0, 32}));
  EXPECT_THAT(variant.tensor_maps[0].sizes, ElementsAre(4, 4));
  EXPECT_THAT(variant.tensor_maps[0].strides, ElementsAre(16));
  const PlanBlob blob = parameters();
  EXPECT_THAT(blob.maps, ElementsAre(PlanMapUse{16, 0}));
  EXPECT_EQ(blob.bytes.substr(144), words({7}));
}

TEST_F(PlanAssemble, RefusesPartsOfTensorMapsAndMapsThatDoNotExist) {
  launch([&](std::size_t) { return mark(0).substr(0, 64); });
  EXPECT_THAT(refusal(), HasSubstr("a part of a tensor map"));
  recording.calls.assign(3, CallRecording{0, 0, {}, {}});
  launch([&](std::size_t) { return mark(3); });
  EXPECT_THAT(refusal(), HasSubstr("a part of a tensor map"));
}

TEST_F(PlanAssemble, LocatesCopiesMemsetsAndTheWorkspace) {
  for (std::size_t i = 0; i < 3; ++i) {
    recording.calls[i].workspace_bytes = 128;
    RawMemset memset;
    memset.fields.target = setup.calls[i].workspace + 8;
    memset.fields.bytes = 4;
    memset.fields.value = 0xff;
    RawCopy copy;
    copy.fields.target = y(i);
    copy.fields.source = x(i) + 8;
    copy.fields.bytes = 8;
    recording.calls[i].steps = {memset, copy};
  }
  const auto made = assemble();
  ASSERT_TRUE(std::holds_alternative<PlanVariant>(made)) << refusal();
  const auto& variant = std::get<PlanVariant>(made);
  EXPECT_EQ(variant.buffers.back(), (PlanBuffer{PlanBufferKind::kWorkspace, "workspace", 128}));
  EXPECT_THAT(
      variant.steps,
      ElementsAre(PlanStep(PlanMemset{{PlanSpace::kBuffer, 2, 8}, 0xff, 4}),
                  PlanStep(PlanCopy{{PlanSpace::kBuffer, 1, 0}, {PlanSpace::kBuffer, 0, 8}, 8})));
  recording.calls[2].workspace_bytes = 256;
  EXPECT_THAT(refusal(), HasSubstr("what forge_workspace answers differs"));
}

TEST_F(PlanAssemble, RefusesHostAddressesAsTargets) {
  for (CallRecording& call : recording.calls) {
    RawMemset memset;
    memset.fields.target = 0x7f0000001000;
    memset.fields.bytes = 4;
    call.steps = {memset};
  }
  EXPECT_THAT(refusal(), HasSubstr("no device memory that it was given"));
}

TEST_F(PlanAssemble, SaysWhatForgeLaunchReturned) {
  recording.calls[1].result = 9;
  const auto made = assemble();
  ASSERT_TRUE(std::holds_alternative<LaunchReturned>(made));
  EXPECT_EQ(std::get<LaunchReturned>(made).result, 9);
}

// The set-up and what is read back of it: sizes, alignment, distance.
TEST(PlannerSetup, PlacesBuffersApartAndMovesEachOfThem) {
  Cubin cubin;
  cubin.symbols = {{"s", PlanSection::kGlobal, 0, 16, PlanSymbol::Image::kFromCubin}};
  const DeviceProfile device = *assumed_device("sm_90a");
  Signature signature;
  signature.dims = {"n"};
  Instance instance;
  instance.dims = {{"n", 4}};
  for (const char* name : {"x", "y"}) {
    TensorParam param;
    param.name = name;
    param.direction = name[0] == 'x' ? Direction::kInput : Direction::kOutput;
    signature.tensors.push_back(param);
  }
  for (const TensorParam& param : signature.tensors) {
    ConcreteTensor tensor;
    tensor.param = &param;
    tensor.layout.dtype = Dtype::kF32;
    tensor.layout.shape = {4};
    tensor.layout.strides = {1};
    instance.tensors.push_back(tensor);
  }
  PlannerInput input;
  input.signature = &signature;
  input.instances = {&instance, &instance};
  input.cubin = &cubin;
  input.device = &device;
  Random random(1);
  const auto setup = planner_setup(input, CallOrder::kBackward, random);
  ASSERT_TRUE(setup) << setup.error().message();
  ASSERT_EQ(setup->calls.size(), 6u);
  EXPECT_EQ(setup->variants[1].again, 0u) << "the last variant comes first";
  for (const VariantCalls& calls : setup->variants) {
    const CallPlacement& first = setup->calls[calls.first];
    const CallPlacement& moved = setup->calls[calls.moved];
    const CallPlacement& again = setup->calls[calls.again];
    EXPECT_EQ(first.buffers, again.buffers);
    EXPECT_NE(first.fill, again.fill);
    EXPECT_EQ(first.fill, moved.fill);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(first.buffers[i] % 256, 0u);
      EXPECT_TRUE(recorder::is_device(first.buffers[i]));
      EXPECT_EQ((first.buffers[i] ^ moved.buffers[i]) & 256, 256u);
    }
    EXPECT_NE(first.buffers[0] - first.buffers[1], moved.buffers[0] - moved.buffers[1]);
    EXPECT_GT(
        std::max(first.buffers[0], first.buffers[1]) - std::min(first.buffers[0], first.buffers[1]),
        1ull << 31);
  }
}

}  // namespace
}  // namespace forge
