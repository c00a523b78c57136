// The recording runtime called as nvcc's host code calls it, without nvcc: what it answers, and
// what is read back of what it noted down. Needs CUDA's headers to be built.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "target/cuda/planner_setup.h"
#include "target/cuda/recorder/control.h"
#include "target/cuda/recording.h"

// Of the runtime's interface with compiled code, which no public header declares.
extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*);
}

namespace forge {
namespace {

using testing::HasSubstr;

constexpr std::size_t kCalls = 6;
char host_kernel;  // stands for a host function's address
char host_large;
char host_symbol;

// The runtime is one for a process, so all tests share a recording and each uses a call of its own.
class RecorderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    CubinKernel kernel;
    kernel.name = "kernel";
    kernel.parameters = {{0, 8}, {8, 4}};
    kernel.parameter_bytes = 12;
    kernel.registers = 32;
    kernel.max_threads = 256;
    CubinKernel large = kernel;
    large.name = "large";
    large.static_shared = 40 << 10;
    large.max_threads = 0;
    cubin().sm = 90;
    cubin().kernels = {kernel, large};
    cubin().symbols = {{"symbol", PlanSection::kGlobal, 0, 16, PlanSymbol::Image::kFromCubin}};
    static const DeviceProfile kDevice = *assumed_device("sm_90a");
    static Signature signature;
    static Instance instance;
    PlannerInput input;
    input.signature = &signature;
    input.instances = {&instance, &instance};
    input.cubin = &cubin();
    input.device = &kDevice;
    Random random(1);
    auto made = planner_setup(input, CallOrder::kForward, random);
    FORGE_CHECK(made.has_value() && made->calls.size() == kCalls);
    setup() = std::move(*made);
    memory().resize(kRecordingBytes);
    new (memory().data()) recorder::RecordingHeader{};
    forge_recorder_open(setup().bytes.data(), memory().data());
    __cudaRegisterFatBinary(nullptr);
    __cudaRegisterFunction(nullptr, &host_kernel, nullptr, "kernel", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterFunction(nullptr, &host_large, nullptr, "large", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterVar(nullptr, &host_symbol, nullptr, "symbol", 0, 16, 0, 0);
  }

  void SetUp() override {
    call_ = next_call()++;
    forge_recorder_begin(call_);
  }
  void TearDown() override { cudaGetLastError(); }

  const CallRecording& recorded() {
    forge_recorder_end(0);
    auto all = read_recording(memory(), kCalls, 0);
    FORGE_CHECK(all.has_value());
    recording_ = std::move(*all);
    return recording_.calls[call_];
  }
  void* device(std::uint64_t address) const { return reinterpret_cast<void*>(address); }
  std::uint64_t symbol() const { return setup().calls[call_].symbols[0]; }

  static Cubin& cubin() {
    static Cubin& one = *new Cubin;
    return one;
  }
  static PlannerSetup& setup() {
    static PlannerSetup& one = *new PlannerSetup;
    return one;
  }
  static std::vector<std::byte>& memory() {
    static std::vector<std::byte>& one = *new std::vector<std::byte>;
    return one;
  }
  static std::uint32_t& next_call() {
    static std::uint32_t call = 0;
    return call;
  }

  const cudaStream_t stream = static_cast<cudaStream_t>(forge_recorder_stream());
  std::uint32_t call_ = 0;
  Recording recording_;
};

TEST_F(RecorderTest, NotesLaunchesWithTheirParametersWhereTheCubinHasThem) {
  std::uint64_t pointer = recorder::kFirstDeviceAddress;
  std::uint32_t number = 7;
  void* arguments[] = {&pointer, &number};
  __cudaPushCallConfiguration(dim3(3, 2), dim3(64), 128, stream);
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t given = nullptr;
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &given), cudaSuccess);
  ASSERT_EQ(cudaLaunchKernel(&host_kernel, grid, block, arguments, shared, given), cudaSuccess);
  const CallRecording& call = recorded();
  ASSERT_EQ(call.steps.size(), 1u);
  const auto& launch = std::get<RawLaunch>(call.steps[0]);
  EXPECT_EQ(launch.fields.grid[1], 2u);
  EXPECT_EQ(launch.fields.dynamic_shared, 128u);
  EXPECT_EQ(launch.parameters, std::string(reinterpret_cast<char*>(&pointer), 8) +
                                   std::string(reinterpret_cast<char*>(&number), 4));
}

TEST_F(RecorderTest, AnswersAsTheCudaRuntimeWouldWhereALimitIsPassed) {
  std::uint64_t pointer = 0;
  std::uint32_t number = 0;
  void* arguments[] = {&pointer, &number};
  const auto launch = [&](const void* function, dim3 grid, dim3 block, std::size_t shared) {
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  };
  EXPECT_EQ(launch(&host_kernel, dim3(0), dim3(32), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&host_kernel, dim3(1), dim3(2048), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&host_kernel, dim3(1), dim3(512), 0), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(launch(&host_large, dim3(1), dim3(32), 9 << 10), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(
      cudaFuncSetAttribute(&host_large, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10),
      cudaErrorInvalidValue);
  EXPECT_EQ(
      cudaFuncSetAttribute(&host_large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10),
      cudaSuccess);
  EXPECT_EQ(launch(&host_large, dim3(1), dim3(32), 100 << 10), cudaSuccess);
  EXPECT_EQ(launch(&host_symbol, dim3(1), dim3(32), 0), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(recorded().steps.size(), 1u);
}

TEST_F(RecorderTest, KnowsDeviceAndOccupancy) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 132);
  cudaDeviceProp prop{};
  EXPECT_EQ(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
  EXPECT_STREQ(prop.name, "NVIDIA H200");
  EXPECT_EQ(prop.major, 9);
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &host_kernel, 256, 0),
            cudaSuccess);
  EXPECT_EQ(blocks, 8);  // 2048 threads of a multiprocessor
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &host_kernel), cudaSuccess);
  EXPECT_EQ(attributes.numRegs, 32);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 256);
  std::size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &host_kernel, 2, 256), cudaSuccess);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &host_kernel, 256, bytes),
            cudaSuccess);
  EXPECT_GE(blocks, 2);
  static_cast<void>(recorded());
}

TEST_F(RecorderTest, NotesWritesCopiesAndMemsets) {
  const float values[2] = {1, 2};
  EXPECT_EQ(cudaMemcpyToSymbolAsync(&host_symbol, values, 8, 4, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbolAsync(&host_symbol, values, 8, 12, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidValue);
  void* target = device(recorder::kFirstDeviceAddress);
  void* source = device(recorder::kFirstDeviceAddress + 64);
  EXPECT_EQ(cudaMemcpyAsync(target, source, 32, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(target, source, 0, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(target, 0x1ff, 16, stream), cudaSuccess);
  void* address = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&address, &host_symbol), cudaSuccess);
  EXPECT_EQ(address, device(symbol()));
  const CallRecording& call = recorded();
  ASSERT_EQ(call.steps.size(), 3u);
  EXPECT_EQ(std::get<RawWrite>(call.steps[0]).fields.target, symbol() + 4);
  EXPECT_EQ(std::get<RawWrite>(call.steps[0]).data.size(), 8u);
  EXPECT_EQ(std::get<RawCopy>(call.steps[1]).fields.bytes, 32u);
  EXPECT_EQ(std::get<RawMemset>(call.steps[2]).fields.value, 0xffu);
}

TEST_F(RecorderTest, MarksTensorMapsAndRefusesIllegalOnes) {
  CUtensorMap map;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  ASSERT_EQ(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                             cudaEnableDefault, &found),
            cudaSuccess);
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  const cuuint64_t sizes[2] = {32, 16};
  const cuuint64_t strides[1] = {128};
  const cuuint32_t box[2] = {32, 8};
  const cuuint32_t steps[2] = {1, 1};
  const auto attempt = [&](std::uint64_t address) {
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, device(address), sizes, strides, box,
                  steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_EQ(attempt(recorder::kFirstDeviceAddress), CUDA_SUCCESS);
  recorder::TensorMapMark mark;
  std::memcpy(&mark, &map, sizeof mark);
  EXPECT_EQ(mark.nonce, setup().nonce);
  EXPECT_EQ(mark.number, 0u);
  EXPECT_EQ(attempt(recorder::kFirstDeviceAddress + 8), CUDA_ERROR_INVALID_VALUE);
  const CallRecording& call = recorded();
  ASSERT_EQ(call.maps.size(), 1u);
  EXPECT_EQ(call.maps[0].sizes[1], 16u);
}

// Comes last: the first refusal is kept for good.
TEST_F(RecorderTest, RefusesWhatNoPlanCanExpressAndSaysWhat) {
  std::uint64_t pointer = 0;
  std::uint32_t number = 0;
  void* arguments[] = {&pointer, &number};
  EXPECT_EQ(cudaLaunchKernel(&host_kernel, dim3(1), dim3(1), arguments, 0, nullptr),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaMemcpyAsync(&pointer, device(recorder::kFirstDeviceAddress), 8,
                            cudaMemcpyDeviceToHost, stream),
            cudaErrorNotSupported);
  static_cast<void>(recorded());
  EXPECT_THAT(recording_.refusal, HasSubstr("another stream than forge_launch"));
}

}  // namespace
}  // namespace forge
